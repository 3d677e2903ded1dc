// The town at one moment, found in a store by the number of the last event that counts.

/** Return where somebody is: at a spot, on the way, or before a door. */
function whereabouts(life, n) {
  const move = lastUntil(life.moves, n);
  if (!move) return { kind: "unknown", place: life.about.home ?? null, room: null };
  if (move.kind === "left") return { kind: "way", n: move.n, from: move.place, fromRoom: move.room ?? null, to: move.to, left: move.t, arrives: move.arrives };
  return { kind: move.kind === "turned_back" ? "door" : "spot", place: move.place, room: move.room ?? null };
}

/** Return what somebody does, in words; "" while that is open. */
function doing(life, n) {
  const does = lastUntil(life.does, n), move = lastUntil(life.moves, n);
  if (!does) return move?.kind === "placed" ? "sleeping" : "";
  if (move && move.kind === "left" && move.n > does.n) return "";
  if (does.kind === "woke") return "getting up";
  return does.kind === "slept" ? "sleeping" : plain(does.do);
}

/** Return the act in signs, where an imported run has any. */
function signsOf(life, n) {
  const does = lastUntil(life.does, n);
  return does?.kind === "started" ? plain(does.emoji ?? "") : "";
}

/** Return whether somebody sleeps. */
function isAsleep(life, n) {
  const does = lastUntil(life.does, n);
  return does ? does.kind === "slept" : lastUntil(life.moves, n)?.kind === "placed";
}

/** Return the talk that somebody is in, undefined where there is none. */
function talkOf(life, n) {
  const talk = lastUntil(life.talks, n);
  return talk && !(talk.end && talk.end.n <= n) ? talk : undefined;
}

/** Return the plan in force, or undefined. */
const planOf = (life, n) => lastUntil(life.plans, n);

/** Return what the importance has come to since the last reflection. */
const totalOf = (life, n) => lastUntil(life.totals, n)?.total ?? 0;

/** Return things at a spot whose state is not the usual one: [thing, state, event]. */
function changedThings(store, spot, n) {
  const found = [];
  for (const [thing, changes] of store.things.get(spot) ?? []) {
    const last = lastUntil(changes, n);
    if (last && last.state !== "free") found.push([plain(thing), plain(last.state), last]);
  }
  return found;
}

/** Return in words where somebody is. */
function whereWords(store, life, n) {
  const where = whereabouts(life, n);
  if (where.kind === "way") return where.from === where.to ? `going to another room of ${store.placeName(where.to)}` : `on the way to ${store.placeName(where.to)}`;
  if (where.kind === "door") return `at the door of ${store.placeName(where.place, where.room)}`;
  return where.place ? `at ${store.placeName(where.place, where.room)}` : "somewhere";
}

/** Return the bearer who knows the chosen news by second `t`, by name. */
function knowingAt(news, t) {
  const found = new Map();
  for (const bearer of news?.bearers ?? []) if (bearer.t <= t) found.set(bearer.who, bearer);
  return found;
}

/** Return an event in one line, as far as the page shows such events. */
function tell(store, event) {
  const who = brief(event.who, 60), names = (list) => (Array.isArray(list) ? list : []).map((name) => brief(name, 60)).join(", ");
  switch (event.kind) {
    case "placed": return `${who} is at ${store.placeName(event.place, event.room)}`;
    case "left": return event.place === event.to ? `${who} goes to another room of ${store.placeName(event.to)}` : `${who} leaves ${store.placeName(event.place)} for ${store.placeName(event.to)}`;
    case "arrived": return `${who} arrives at ${store.placeName(event.place, event.room)}`;
    case "turned_back": return `${who} turns back at ${store.placeName(event.place, event.room)}: ${plain(event.reason)}`;
    case "woke": return `${who} wakes up`;
    case "slept": return `${who} goes to sleep`;
    case "planned": return `${who} plans the day`;
    case "plan_changed": return `${who} changes the plan: ${plain(event.reason)}`;
    case "started": return `${who}: ${plain(event.do)}, at ${store.placeName(event.place, event.room)}`;
    case "talk_started": return `${who} begins to talk with ${names(event.to)}`;
    case "spoke": return `${who} to ${names(event.to)}: “${plain(event.text)}”`;
    case "talk_ended": return `The talk of ${who} with ${names(event.to)} ends: ${plain(event.reason)}`;
    case "happened": return event.place ? `At ${store.placeName(event.place)}: ${plain(event.text)}` : plain(event.text);
    case "thought": return `${who} thinks: ${plain(event.text)}`;
    case "thing_changed": return `The ${plain(event.thing)} at ${store.placeName(event.place, event.room)} is ${plain(event.state)}`;
    case "step": return `${who} goes on: ${plain(event.do)}`;
    case "place_changed": return `${store.placeName(event.place, event.room)} is now ${plain(event.state)}`;
    case "remembered": return `${who} remembers: ${plain(event.text)}`;
    case "reflected": return `${who} reflects (importance ${event.total})`;
    case "fell_back": return `${who}: ${plain(event.prompt)} fell back: ${plain(event.reason)}`;
    case "relation_changed": return `${who} stands to ${brief(event.other, 60)}: ${numbersOf(event).map(([key, value]) => `${plain(key)} ${value.toFixed(2)}`).join(", ")} (${plain(event.relation)})`;
    case "relation_summarised": case "relation_faded": return `${who} ${event.kind === "relation_faded" ? "forgets some of" : "sums up"} ${plain(event.card).replace(/^card /, "")}: ${plain(event.text)}`;
    case "cued": return `${who} has ${names(event.others)} in mind (${plain(event.scope)})`;
    case "charged": return `${who} answers charged words of ${brief(event.other, 60)} (${names(event.triggers)})`;
    default: return `${plain(event.kind)}${event.who ? ` of ${who}` : ""}`;
  }
}
