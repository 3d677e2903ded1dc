// Why somebody did something: one thought laid open, from what was seen and recalled to what was done.

const PARTS = ["recency", "importance", "relevance"];

class WhyView {
  constructor(store, route) {
    this.store = store;
    this.life = store.lives.get(route.who);
    this.thought = store.thoughts.get(Number(route.n));
    this.title = "Why";
    this.body = element("div", { class: "body" }, element("p", { class: "quiet", text: "One moment…" }));
    this.holder = element("div", { class: "fills scrolls" }, element("h2", {}, "Why? ", said(brief(route.who, 60))), this.body);
    if (this.thought && this.life) this.build().catch((error) => app.fail(error));
    else fill(this.body, element("p", { class: "quiet", text: "The log holds no such thought." }));
  }

  update() {}

  async build() {
    const { store, thought, life } = this;
    const [outcome] = await store.all([thought.n]);
    const [perceived, recalled, opening, fallbacks, done, social] = await Promise.all(
      [thought.perceived, thought.recalled, thought.opening, thought.fallbacks, thought.done, thought.social ?? []].map((numbers) => store.all(numbers)));
    const keys = [outcome?.call, ...(outcome?.calls ?? []), ...fallbacks.map((event) => event.call)].filter(Boolean);
    const calls = await Promise.all([...new Set(keys)].map((key) => store.call(key)));
    const reflected = outcome?.kind === "reflected", mine = life.thoughts, at = mine.indexOf(thought);
    const step = (other, label) => button(label, () => app.open({ view: "why", n: other.n, who: life.name }), { class: "link" });
    fill(this.body,
      element("p", {}, instant(store, thought.t, true), ` ${thought.what.replaceAll("_", " ")} `, element("span", { class: "quiet" }, mine[at - 1] ? step(mine[at - 1], "‹ the thought before") : null, " ", mine[at + 1] ? step(mine[at + 1], "the next ›") : null)),
      part("Situation", this.situation()),
      part("Done", done.length ? element("ul", {}, done.slice(0, 12).map((event) => element("li", {}, element("span", { class: "when", text: store.clock(event.t, true) }), " ", said(brief(ownWords(tell(store, event), life), 400))))) : null),
      part("Decided", outcome?.decision ? decisionList(outcome.decision) : null),
      outcome?.kind === "fell_back" ? part("Fell back", element("p", {}, said(outcome.reason))) : null,
      part("Other fallbacks", fallbacks.map((event) => element("p", {}, said(`${event.prompt}: ${event.reason}`)))),
      reflected ? part(`Insights (the importance had come to ${outcome.total})`, perceived.length ? element("ul", { class: "tree" }, perceived.map((memory) => evidence(store, life, memory))) : element("p", { class: "quiet", text: "none" })) : null,
      part("Questions", reflected && outcome.questions.length ? element("ul", {}, outcome.questions.map((question) => element("li", {}, said(question)))) : null),
      part("Perceived", !reflected && perceived.length ? element("ul", { class: "plain" }, perceived.map((memory) => element("li", {}, remembrance(store, memory)))) : null),
      part("Recalled", recalled.length + opening.length ? [this.weights(), opening.map((event) => this.search(event, true)), recalled.map((event) => this.search(event))] : null),
      part("How they stand to others", social.length ? element("ul", {}, social.map((event) => element("li", {}, said(ownWords(tell(store, event), life))))) : null),
      part("Prompt and reply", calls.map((call) => callDetails(call))));
  }

  situation() {
    const { store, life, thought } = this, n = thought.n;
    const plan = planOf(life, n), block = (plan?.blocks ?? []).find((one) => one.t <= thought.t && thought.t < one.until), talk = talkOf(life, n);
    const where = whereabouts(life, n);
    const there = [...store.lives.values()].filter((other) => other !== life && where.kind === "spot" && sameSpot(whereabouts(other, n), where));
    return element("ul", {},
      element("li", {}, said(`${whereWords(store, life, n)}${doing(life, n) ? `, ${doing(life, n)}` : ""}`)),
      there.length ? element("li", {}, "with ", there.flatMap((other, i) => [i ? ", " : "", person(store, other.name), said(doing(other, n) ? ` (${doing(other, n)})` : "")])) : null,
      where.kind === "spot" ? changedThings(store, spotOf(where.place, where.room), n).map(([thing, state]) => element("li", {}, said(`the ${thing} is ${state}`))) : null,
      talk ? element("li", {}, "in a talk with ", said(talk.names.filter((name) => name !== life.name).map((name) => brief(name, 60)).join(", ")), " ", button("the talk", () => app.open({ view: "talk", id: talk.id }), { class: "link" })) : null,
      block ? element("li", {}, said(`plan until ${store.clock(block.until)}: ${block.do}, at ${store.placeName(block.place, block.room)}`)) : null);
  }

  weights() {
    const { weights } = this.store.head;
    return element("p", { class: "quiet small", text: `score = ${PARTS.map((name) => (weights[name] === 1 ? name : `${weights[name]} × ${name}`)).join(" + ")}` });
  }

  search(event, earlier = false) {
    const { store, life } = this, items = Array.isArray(event.items) ? event.items : [];
    return element("div", { class: "search" },
      element("p", {}, element("span", { class: "quiet", text: `for ${plain(event.for)}${earlier ? ", when the talk began" : ""}: ` }), "“", said(event.query), "”"),
      items.length ? element("ol", { class: "hits", role: "list" }, items.map((item, i) => {
        const memory = life.memoryById.get(item.id);
        return element("li", {}, memory ? button(said(brief(memory.text, 240)), () => app.open({ view: "memory", who: life.name, id: item.id }), { class: "link text" }) : element("span", { class: "quiet", text: `#${item.id} (not in this log)` }),
          element("div", { class: "scores" }, element("span", { class: "score", text: `${i + 1}. score ${Number(item.score ?? 0).toFixed(3)}` }),
            PARTS.map((name) => element("span", { class: "measure" }, element("span", { class: "quiet", text: name }), bar(Number(item[name] ?? 0), 1, Number(item[name] ?? 0).toFixed(2), name)))));
      })) : element("p", { class: "quiet", text: "nothing was found" }));
  }
}

const sameSpot = (one, other) => one.kind === "spot" && one.place === other.place && one.room === other.room;

/** Return what was decided, a line a value. */
function decisionList(decision) {
  return element("dl", { class: "stacked" }, Object.entries(decision).map(([key, value]) => [element("dt", { text: brief(key, 40) }), element("dd", {}, said(typeof value === "string" ? value : JSON.stringify(value)))]));
}

/** Return a call's prompt and reply, to be unfolded. */
function callDetails(call) {
  if (call.note) return element("p", { class: "quiet", text: call.note });
  const left = call.leftOut ? `, ${call.leftOut} memories left out to fit` : "";
  return element("div", { class: "call" },
    call.messages.map(([role, content]) => element("details", {}, element("summary", { text: `Prompt ${brief(call.prompt, 40)} (${brief(role, 20)}${left})` }), element("pre", { dir: "auto", tabindex: "0", text: content.replace(/[\u202a-\u202e\u2066-\u2069]/g, "") }))),
    element("details", { open: true }, element("summary", { text: `${call.answered ? "Reply" : "No reply"} of ${brief(call.model, 40)}` }), element("pre", { dir: "auto", tabindex: "0", text: call.reply.replace(/[\u202a-\u202e\u2066-\u2069]/g, "") })));
}
