// A run as the page holds it: the log's events, by number, and each resident's life in lists that are searched by number.

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const INNER = new Set(["recalled", "decided", "cued", "charged"]);

/** Return what a packed block of the page holds; a block can be unpacked once. */
async function unpack(number) {
  const holder = document.getElementById(`block-${number}`);
  const packed = atob(holder.textContent);
  const bytes = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) bytes[i] = packed.charCodeAt(i);
  holder.remove();
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** Return the index of the first element of a sorted list of which `isLater` is true. */
function firstLater(list, isLater) {
  let low = 0, high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isLater(list[middle])) high = middle; else low = middle + 1;
  }
  return low;
}

/** Return the last element of a list whose number is at most `n`, undefined where there is none. */
function lastUntil(list, n) {
  return list[firstLater(list, (one) => one.n > n) - 1];
}

/** Return how many elements of a list have a number of at most `n`. */
function countUntil(list, n) {
  return firstLater(list, (one) => one.n > n);
}

const spotOf = (place, room) => (room ? `${place}\n${room}` : place);

class Store {
  constructor(head) {
    this.head = head;
    this.name = head.name;
    this.events = [];
    this.lives = new Map();
    this.places = new Map();
    this.boxes = new Map(Object.entries(head.boxes));
    this.routes = new Map(); // by the two places, once looked for
    this.neighbours = new Map();
    for (const [a, b, length] of head.ways.edges) {
      for (const [from, to] of [[a, b], [b, a]]) this.neighbours.set(from, [...(this.neighbours.get(from) ?? []), [to, length]]);
    }
    this.talks = [];
    this.talkById = new Map();
    this.things = new Map(); // by spot: by thing: its changes
    this.states = []; // of places, in order
    this.happenings = []; // scenario events, inner voices too
    this.reflections = [];
    this.acts = [];
    this.thoughts = new Map(); // by the number of the event that ends them
    this.thoughtOf = new Map(); // by the number of an event that a thought led to
    this.news = [];
    this.state = "";
    this.ends = 0;
    this.last = -1;
    this.relationMost = 0; // the largest number of any relation
    this.version = 0; // grows with whatever is added
    this.innerEvents = new Map();
    this.chunks = head.inner ?? [];
    this.calls = null;
  }

  /** Take the next events of the log. */
  take(events) {
    for (const event of events) {
      if (typeof event.n !== "number" || event.n <= this.last) continue; // told before
      this.last = event.n;
      this.ends = Math.max(this.ends, event.t);
      if (INNER.has(event.kind)) this.innerEvents.set(event.n, event);
      else this.learn(event);
    }
    this.version++;
  }

  learn(event) {
    this.events.push(event);
    const life = typeof event.who === "string" ? this.life(event.who) : null;
    switch (event.kind) {
      case "run_started": this.begin(event); break;
      case "placed": case "arrived": case "left": case "turned_back": life.moves.push(event); break;
      case "woke": case "slept": case "step": life.does.push(event); break;
      case "started": life.does.push(event); life.acts.push(event); this.acts.push(event); break;
      case "planned": case "plan_changed": life.plans.push(event); break;
      case "talk_started": case "spoke": case "talk_ended": this.talk(event); break;
      case "happened": this.happenings.push(event); break;
      case "thought": this.happenings.push(event); life.voices.push(event); break;
      case "thing_changed": this.change(event); break;
      case "place_changed": this.states.push(event); break;
      case "remembered": life.memories.push(event); life.memoryById.set(event.id, event);
        if (typeof event.total === "number") life.totals.push({ n: event.n, t: event.t, total: event.total }); break;
      case "reflected": this.reflections.push(event); life.reflections.push(event);
        life.totals.push({ n: event.n, t: event.t, total: 0, before: event.total }); break;
      default: if (life && event.kind.startsWith("relation")) this.relate(life, event);
    }
  }

  begin(event) {
    this.started = event;
    this.origin = Date.parse(event.start.slice(0, 19).replace(" ", "T") + "Z") || 0;
    this.ends = Math.max(this.ends, 0);
    for (const [id, about] of Object.entries(event.places)) this.places.set(id, about ?? {});
    for (const [name, about] of Object.entries(event.people)) this.life(name).about = about ?? {};
  }

  life(name) {
    let life = this.lives.get(name);
    if (!life) {
      life = {
        name, about: {}, index: this.lives.size, moves: [], does: [], acts: [], plans: [], talks: [], memories: [],
        memoryById: new Map(), totals: [], reflections: [], relations: new Map(), cards: [], voices: [], thoughts: [],
      };
      this.lives.set(name, life);
    }
    return life;
  }

  talk(event) {
    const names = [event.who, ...(Array.isArray(event.to) ? event.to : [])];
    if (event.kind === "talk_started" || !this.talkById.has(event.talk)) {
      const talk = { id: event.talk, n: event.n, t: event.t, names, place: event.place, said: [], end: null };
      this.talkById.set(event.talk, talk);
      this.talks.push(talk);
      for (const name of names) this.life(name).talks.push(talk);
    }
    const talk = this.talkById.get(event.talk);
    if (event.kind === "spoke") talk.said.push(event);
    if (event.kind === "talk_ended") talk.end = event;
  }

  /** Return in what state a place is at a second, "" as usual. */
  stateOf(place, t) {
    const last = this.states.findLast((event) => event.place === place && !event.room && event.t <= t);
    const state = last ? last.state : this.places.get(place)?.state ?? "";
    return typeof state === "string" && state.toLowerCase() !== "usual" ? state : "";
  }

  change(event) {
    const spot = spotOf(event.place, event.room);
    if (!this.things.has(spot)) this.things.set(spot, new Map());
    const things = this.things.get(spot);
    if (!things.has(event.thing)) things.set(event.thing, []);
    things.get(event.thing).push(event);
  }

  /** Take note of how somebody stands with another: whichever field names a resident is the other. */
  relate(life, event) {
    if (typeof event.card === "string") { life.cards.push(event); return; }
    const other = Object.entries(event).find(([key, value]) => key !== "who" && typeof value === "string" && this.lives.has(value));
    if (!other) return;
    for (const [, value] of numbersOf(event)) this.relationMost = Math.max(this.relationMost, Math.abs(value));
    if (!life.relations.has(other[1])) life.relations.set(other[1], []);
    life.relations.get(other[1]).push(event);
  }

  /** Take thoughts and news as the page's maker made them out. */
  takeTold(told) {
    for (const [n, t, who, what, perceived, recalled, opening, fallbacks, done, social] of told.thoughts) {
      const thought = { n, t, who, what, perceived, recalled, opening, fallbacks, done, social };
      const life = this.life(who), known = this.thoughts.get(n);
      if (known) life.thoughts[life.thoughts.indexOf(known)] = thought;
      else life.thoughts.push(thought);
      this.thoughts.set(n, thought);
      for (const led of done) this.thoughtOf.set(led + " " + who, thought);
    }
    this.news = told.news.map((one) => ({
      name: one.name, ask: this.head.news.find((news) => news.name === one.name)?.ask ?? "",
      bearers: one.bearers.map(([who, t, memory, how, source, teller, parent, depth]) =>
        ({ who, t, memory, how, source, teller, parent, depth })),
    }));
    this.state = told.state;
    this.version++;
  }

  /** Return the outer event of a number, undefined where there is none. */
  event(n) {
    const found = lastUntil(this.events, n);
    return found?.n === n ? found : undefined;
  }

  /** Return the events of these numbers, inner ones too, unpacking what is needed. */
  async all(numbers) {
    for (const n of numbers) {
      if (this.event(n) || this.innerEvents.has(n)) continue;
      const at = firstLater(this.chunks, ([first]) => first > n) - 1;
      if (at < 0 || this.chunks[at][1] === null) continue;
      const chunk = this.chunks[at];
      chunk[2] ??= unpack(chunk[1]).then((events) => {
        for (const event of events) this.innerEvents.set(event.n, event);
        chunk[1] = null;
      });
      await chunk[2];
    }
    return numbers.map((n) => this.event(n) ?? this.innerEvents.get(n)).filter(Boolean);
  }

  /** Return a recorded call, `{note}` where there is none to be shown. */
  async call(key) {
    this.calls ??= unpack(this.head.calls);
    const record = await this.calls;
    if (Object.hasOwn(record.calls, key)) return callOf(record, key);
    const fetched = await window.townsfolk.callSource?.(key, STORES.indexOf(this)); // a server that follows the run has it
    if (fetched?.calls && Object.hasOwn(fetched.calls, key)) return callOf(fetched, key);
    if (fetched?.note) return fetched;
    return { note: record.note || `The run's record does not hold call ${key}.` };
  }

  /** Return the number of the last event at or before second `t`. */
  numberAt(t) {
    const later = this.events[firstLater(this.events, (event) => event.t > t)];
    return later ? later.n - 1 : Math.max(this.last, 0);
  }

  /** Return the places on the shortest way along roads or paths, both ends included; straight where there is none. */
  route(from, to) {
    const key = `${from}\n${to}`;
    if (!this.routes.has(key)) this.routes.set(key, shortestWay(this.neighbours, from, to));
    return this.routes.get(key);
  }

  placeName(id, room) {
    const name = brief(this.places.get(id)?.name ?? id ?? "?", 60);
    return room ? `${name} (${brief(room, 40)})` : name;
  }

  /** Return "Mon 13 Feb 08:15", with the seconds if asked for. */
  stamp(t, seconds = false) {
    const at = new Date(this.origin + t * 1000);
    return `${DAYS[at.getUTCDay()]} ${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]} ${this.clock(t, seconds)}`;
  }

  clock(t, seconds = false) {
    return new Date(this.origin + t * 1000).toISOString().slice(11, seconds ? 19 : 16);
  }

  /** Return the hour of the day, with its fraction. */
  hour(t) {
    return (((this.origin / 1000 + t) % 86400 + 86400) % 86400) / 3600;
  }
}

/** Return the shortest way between two places (Dijkstra's), just its ends where nothing joins them. */
function shortestWay(neighbours, from, to) {
  const lengths = new Map([[from, 0]]), before = new Map(), settled = new Set();
  for (;;) {
    let next, least = Infinity;
    for (const [place, length] of lengths) if (!settled.has(place) && length < least) { next = place; least = length; }
    if (next === undefined) return [from, to];
    if (next === to) break;
    settled.add(next);
    for (const [place, length] of neighbours.get(next) ?? []) {
      if (least + length < (lengths.get(place) ?? Infinity)) { lengths.set(place, least + length); before.set(place, next); }
    }
  }
  const way = [to];
  while (way[0] !== from) way.unshift(before.get(way[0]));
  return way;
}

function callOf(record, key) {
  const [model, prompt, answered, leftOut, reply, messages] = record.calls[key];
  return {
    key, model, prompt, answered: Boolean(answered), leftOut, reply,
    messages: messages.map(([role, lines]) => [role, lines.map((line) => record.lines[line]).join("\n")]),
  };
}

const STORES = [];
let app = null;
