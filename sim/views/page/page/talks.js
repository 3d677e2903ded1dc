// Talks, and the search through all that was said and thought.

/** Return what was said in a talk until event `n`: the last `most` lines, each cut to a length. */
function talkLines(store, talk, n, most = Infinity, length = Infinity) {
  const count = countUntil(talk.said, n);
  return talk.said.slice(Math.max(0, count - most), count).map((event) => {
    const life = store.lives.get(event.who);
    return element("div", { class: "speech", "data-n": event.n }, badge(store, life, false),
      element("div", {}, element("p", { class: "small" }, person(store, event.who), " ", element("span", { class: "quiet", text: store.clock(event.t, true) }), " ", whyButton(store, event)), element("p", {}, said(brief(event.text, length)))));
  });
}

class TalksView {
  constructor(store) {
    this.store = store;
    this.title = "Talks";
    this.list = new LongList("Talks, in order of time", 3.7, (talk) => this.row(talk), "Nobody talks in this run.");
    this.holder = element("div", { class: "fills" }, this.list.holder);
  }

  row(talk) {
    const { store } = this, later = talk.n > this.n, on = !later && !(talk.end && talk.end.n <= this.n);
    return button(element("span", { class: "two" },
      element("span", { class: "line" }, element("strong", {}, said(talk.names.map((name) => brief(name, 40)).join(", "))), on ? element("span", { class: "star", text: " now" }) : null),
      element("span", { class: "quiet line" }, said(`${store.stamp(talk.t)}, ${store.placeName(talk.place)}, ${talk.said.length} lines: ${brief(talk.said[0]?.text ?? "", 90)}`))),
      () => { app.go(talk.t, true); app.open({ view: "talk", id: talk.id }); }, { class: `wide ${later ? "later" : ""}` });
  }

  update(n) {
    this.n = n;
    const now = countUntil(this.store.talks, n), signature = `${now} ${this.store.version} ${this.store.talks.slice(Math.max(0, now - 60), now).filter((talk) => !(talk.end && talk.end.n <= n)).length}`;
    if (signature === this.signature) return;
    const first = this.signature === undefined;
    this.signature = signature;
    this.list.set(this.store.talks);
    if (first) requestAnimationFrame(() => this.list.reveal(now - 1));
  }
}

class TalkView {
  constructor(store, route) {
    this.store = store;
    this.talk = store.talkById.get(route.id);
    this.title = "Talk";
    this.body = element("div", { class: "body" });
    this.chosen = Number(route.n);
    this.holder = element("div", { class: "fills scrolls" });
    if (!this.talk) { fill(this.holder, element("p", { class: "quiet", text: "The log holds no such talk." })); return; }
    const { talk } = this;
    fill(this.holder, element("h2", {}, said(talk.names.map((name) => brief(name, 60)).join(", "))),
      element("p", { class: "quiet" }, instant(store, talk.t), " ", button(said(store.placeName(talk.place)), () => app.open({ view: "place", place: talk.place }), { class: "link" })), this.body);
  }

  /** Show all that is said in the end; what lies ahead is paler. */
  update(n) {
    if (!this.talk) return;
    const count = countUntil(this.talk.said, n), ended = this.talk.end && this.talk.end.n <= n;
    const signature = `${count} ${ended} ${this.store.version}`;
    if (signature === this.signature) return;
    const first = this.signature === undefined;
    this.signature = signature;
    fill(this.body, talkLines(this.store, this.talk, Infinity).map((line, i) => {
      if (i >= count) line.classList.add("later");
      if (Number(line.dataset.n) === this.chosen) line.classList.add("chosen");
      return line;
    }), this.talk.end ? element("p", { class: `quiet ${ended ? "" : "later"}` }, said(`${this.store.clock(this.talk.end.t, true)}: ${this.talk.end.reason}${this.talk.end.capped ? " (only the cap on its length ended it)" : ""}`)) : element("p", { class: "quiet", text: "It is not over." }));
    if (first) requestAnimationFrame(() => this.body.querySelector(".chosen")?.scrollIntoView({ block: "center" }));
  }
}

const SEARCHED = { spoke: "said", thought: "thought", happened: "happened", reflection: "concluded", started: "did", memory: "remembered", plan_changed: "changed the plan" };

class SearchView {
  constructor(store, route) {
    this.store = store;
    this.title = "Search";
    this.words = element("input", { type: "search", placeholder: "Search all that was said and thought", "aria-label": "Search all that was said and thought", value: route.q ?? "", oninput: () => this.find() });
    this.kind = element("select", { "aria-label": "What to search", onchange: () => this.find() }, element("option", { value: "", text: "said and thought" }),
      Object.entries(SEARCHED).map(([kind, label]) => element("option", { value: kind, text: label })));
    this.count = element("p", { class: "quiet small", role: "status" });
    this.list = new LongList("What was found", 4.7, (event) => this.row(event), "Type some words: what holds all of them is found.");
    this.holder = element("div", { class: "fills" }, element("div", { class: "filters" }, this.words, this.kind), this.count, this.list.holder);
    setTimeout(() => this.words.focus(), 0);
    if (route.q) this.find();
  }

  find() {
    const words = wordsOf(this.words.value), { store } = this;
    app.note({ q: this.words.value || null });
    if (this.version !== store.version) { this.texts = store.events.map((event) => [event, kindOf(event), textOf(event)]).filter(([, kind]) => kind); this.version = store.version; }
    const wanted = this.kind.value ? (kind) => kind === this.kind.value : (kind) => kind !== "memory" && kind !== "started";
    const found = words.length ? this.texts.filter(([, kind, text]) => wanted(kind) && words.every((word) => text.includes(word))).map(([event]) => event) : [];
    this.looked = words;
    this.count.textContent = words.length ? `${found.length.toLocaleString("en")} found` : "";
    this.list.set(found);
  }

  row(event) {
    const { store } = this, who = event.who ? brief(event.who, 40) : store.placeName(event.place);
    return button(element("span", { class: "two" }, element("span", { class: "line2" }, marked(aroundHit(shownText(event), this.looked), this.looked)),
      element("span", { class: "quiet line" }, said(`${who} ${SEARCHED[kindOf(event)]}, ${store.stamp(event.t)}`))),
      () => this.open(event), { class: "wide" });
  }

  open(event) {
    app.go(event.t, true);
    if (event.kind === "spoke") app.open({ view: "talk", id: event.talk, n: event.n });
    else if (event.kind === "remembered") app.open({ view: "memory", who: event.who, id: event.id });
    else if (event.who) app.open({ view: "person", who: event.who });
    else if (event.place) app.open({ view: "place", place: event.place });
  }

  update() {
    if (this.version !== undefined && this.version !== this.store.version) this.find();
  }
}

/** Return under which heading an event is searched, undefined where it is not. */
function kindOf(event) {
  if (event.kind === "remembered") return event.memory_kind === "reflection" ? "reflection" : "memory";
  return Object.hasOwn(SEARCHED, event.kind) ? event.kind : undefined;
}

const shownText = (event) => plain(event.text ?? event.do ?? event.reason ?? "");
const textOf = (event) => `${shownText(event)} ${event.who ?? ""}`.toLowerCase();

/** Return the stretch of a long text around the first hit. */
function aroundHit(text, words) {
  const at = Math.min(...words.map((word) => text.toLowerCase().indexOf(word)).filter((found) => found >= 0), Infinity);
  return at === Infinity || at < 60 ? text.slice(0, 400) : `…${text.slice(at - 40, at + 300)}`;
}

/** Return a text with the words that were looked for marked. */
function marked(text, words) {
  const holder = element("bdi"), folded = text.toLowerCase();
  if (folded.length !== text.length) { holder.textContent = text; return holder; } // letters that change their length with the case
  let from = 0;
  while (from < text.length) {
    const hits = words.map((word) => [folded.indexOf(word, from), word.length]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    if (!hits.length) break;
    holder.append(text.slice(from, hits[0][0]), element("mark", { text: text.slice(hits[0][0], hits[0][0] + hits[0][1]) }));
    from = hits[0][0] + hits[0][1];
  }
  holder.append(text.slice(from));
  return holder;
}
