// Who is where, and all about one resident: now, plan, importance, how they stand with others.

const CHOICES = new Set(["agent_action"]); // thoughts in which an act is chosen

/** Return a resident's disk, as the map has it. */
function badge(store, life, asleep) {
  const initials = app.maps[STORES.indexOf(store)].scene.initials?.get(life.name) ?? "?";
  return element("span", { class: "badge", "aria-hidden": "true", text: initials, style: { background: colorOf(life, asleep) } });
}

/** Return a button that leads to a resident. */
function person(store, name) {
  return button(said(brief(name, 60)), () => app.open({ view: "person", who: name }), { class: "link" });
}

/** Return a button that leads to a second of the run. */
function instant(store, t, seconds = false) {
  return button(store.stamp(t, seconds), () => app.go(t, true), { class: "link when", title: "Go to this moment" });
}

class PeopleView {
  constructor(store) {
    this.store = store;
    this.title = "People";
    this.list = new LongList("Residents", 3.4, (life) => this.row(life), "There is nobody in this town.");
    this.holder = element("div", { class: "fills" }, this.list.holder);
  }

  row(life) {
    const { store, n } = this, asleep = isAsleep(life, n), knows = app.known().get(life.name);
    return button(element("span", { class: "entry" }, badge(store, life, asleep),
      element("span", { class: "two" },
        element("strong", { class: "line" }, said(brief(life.name, 60)), knows ? element("span", { class: "star", text: " ★", title: "knows the news" }) : null, knows ? element("span", { class: "unseen", text: " (knows the news)" }) : null),
        element("span", { class: "quiet line" }, said(`${doing(life, n) ? doing(life, n) + ", " : ""}${whereWords(store, life, n)}`)))),
      () => app.open({ view: "person", who: life.name }), { class: "wide", "aria-pressed": app.selected === life.name ? "true" : "false" });
  }

  update(n) {
    this.n = n;
    const known = app.known();
    const signature = [...this.store.lives.values()].map((life) => `${lastUntil(life.moves, n)?.n} ${lastUntil(life.does, n)?.n} ${known.has(life.name)}`).join() + app.selected;
    if (signature === this.signature) return;
    this.signature = signature;
    this.list.set([...this.store.lives.values()].sort((a, b) => (a.name < b.name ? -1 : 1)));
  }
}

const PERSON_TABS = [["now", "Now"], ["plan", "Plan"], ["memory", "Memory"], ["acts", "Acts"]];

class PersonView {
  constructor(store, route) {
    this.store = store;
    this.life = store.lives.get(route.who);
    this.title = brief(route.who, 60);
    if (!this.life) { this.holder = element("p", { class: "quiet", text: "This run has nobody of that name." }); return; }
    const about = this.life.about, facts = [about.age ? `${about.age} years old` : "", ...(Array.isArray(about.traits) ? about.traits : [])].filter(Boolean).map((one) => brief(one, 60)).join(", ");
    this.tabs = tabList("About this resident", PERSON_TABS, (tab) => this.show(tab));
    this.body = element("div", { class: "fills body" });
    this.holder = element("div", { class: "fills" },
      element("div", { class: "entry head" }, badge(store, this.life, false), element("span", { class: "two" }, element("h2", {}, said(brief(route.who))), facts ? element("span", { class: "quiet line" }, said(facts)) : null)),
      this.tabs.holder, this.body);
    this.show(PERSON_TABS.some(([tab]) => tab === route.tab) ? route.tab : "now");
  }

  show(tab) {
    this.tab = tab;
    this.signature = "";
    this.tabs.choose(tab);
    app.note({ tab: tab === "now" ? null : tab });
    this.inner = tab === "memory" ? new MemoryList(this.store, this.life) : tab === "acts" ? new ActList(this.store, this.life) : null;
    fill(this.body, this.inner?.holder);
    if (this.n !== undefined) this.update(this.n);
  }

  update(n) {
    this.n = n;
    if (!this.life) return;
    if (this.inner) { this.inner.update(n); return; }
    const parts = this.tab === "plan" ? this.plan(n) : this.now(n);
    if (parts.signature === this.signature) return;
    const first = this.signature === "";
    this.signature = parts.signature;
    fill(this.body, parts.build());
    if (first) this.body.querySelector(".current")?.scrollIntoView({ block: "center" });
  }

  now(n) {
    const { store, life } = this, talk = talkOf(life, n), where = whereabouts(life, n), total = totalOf(life, n);
    const spot = where.kind === "spot" ? app.maps[STORES.indexOf(store)].scene.spots.get(spotOf(where.place, where.room)) ?? [] : [];
    const company = spot.map((figure) => figure.life).filter((other) => other !== life);
    const act = lastUntil(life.acts, n), thought = act ? choiceOf(store, life, act) : lastUntil(life.thoughts, n), above = store.started?.reflect_above;
    const recent = life.reflections.slice(0, countUntil(life.reflections, n)).slice(-3).reverse();
    return {
      signature: [lastUntil(life.moves, n)?.n, lastUntil(life.does, n)?.n, talk?.id, talk && countUntil(talk.said, n), company.map((one) => one.name + doing(one, n)), total, thought?.n, store.version, life.relations.size ? Math.floor(app.player.t / 3600) : 0, [...life.relations.values()].map((changes) => countUntil(changes, n)), countUntil(life.cards, n)].join(),
      build: () => [
        part("Now", element("p", {}, said(doing(life, n) || "…"), element("br"), element("span", { class: "quiet" }, said(whereWords(store, life, n))),
          where.place ? [" ", button("about the place", () => app.open({ view: "place", place: where.place }), { class: "link" })] : null),
          thought ? element("p", {}, button("Why?", () => app.open({ view: "why", n: thought.n, who: life.name }), { class: "main" }), element("span", { class: "quiet", text: ` decided ${store.stamp(thought.t)}${act && thought.t < act.t ? `, gone on with ${store.stamp(act.t)}` : ""}` })) : null,
          act ? this.byPlan(act, thought) : null),
        talk ? part("In a talk", talkLines(store, talk, n, 4, 300), button("the whole talk", () => app.open({ view: "talk", id: talk.id }), { class: "link" })) : null,
        part("With", company.length ? element("ul", {}, company.map((other) => element("li", {}, person(store, other.name), element("span", { class: "quiet" }, " ", said(doing(other, n)))))) : null),
        part("Importance since the last reflection", bar(total, above || Math.max(total, 1), above ? `${total} of ${above}` : String(total), "importance"),
          recent.map((one) => element("p", { class: "small" }, "Reflected ", instant(store, one.t), " ", button("why, and what came of it", () => app.open({ view: "why", n: one.n, who: life.name }), { class: "link" })))),
        this.relations(n),
      ],
    };
  }

  /** Return the plan's block behind an act that has no choice of its own, and a way to why it was planned so. */
  byPlan(act, thought) {
    const { store, life } = this, found = thought && thought.t === act.t ? null : blockOf(life, act);
    if (!found) return null;
    const { made, block } = found;
    return element("p", { class: "small" }, `By the plan, ${store.clock(block.t)} to ${store.clock(block.until)}: `, said(`${block.do}, at ${store.placeName(block.place, block.room)}`),
      element("span", { class: "quiet" }, made.kind === "planned" ? "; planned " : "; plan changed ", instant(store, made.t), " "), whyButton(store, made, life.name));
  }

  /** Return how the resident stands with others: whatever numbers the log has of it, faded up to now where they fade. */
  relations(n) {
    const { store, life } = this, most = [1, 5, 10, 100].find((one) => store.relationMost <= one) ?? store.relationMost;
    const rows = [...life.relations].map(([name, changes]) => [name, lastUntil(changes, n)]).filter(([, event]) => event);
    return [part("How they stand to others", rows.map(([name, event]) => element("div", { class: "relation" },
      element("p", {}, person(store, name), " ", element("span", { class: "quiet" }, said([event.relation ? `last: ${event.relation}` : "", event.events ? counted(event.events, "event") : ""].filter(Boolean).join(", ")))),
      numbersOf(event).map(([key, value]) => {
        const now = value * this.faded(event.t);
        return element("div", { class: "measure" }, element("span", { class: "quiet", text: brief(key, 30) }), bar(Math.abs(now), most, now.toFixed(2), now < 0 ? "negative" : ""));
      })))), part("In their own words", this.cards(n).map((card) => element("p", {}, element("span", { class: "quiet", text: `${plain(card.card).replace(/^card /, "")}: ` }), said(card.text))))];
  }

  /** Return what is left at this moment of a number told at second `t`. */
  faded(t) {
    const halfLife = this.life.about.half_life_hours;
    return typeof halfLife === "number" && halfLife > 0 ? 0.5 ** (Math.max(0, app.player.t - t) / 3600 / halfLife) : 1;
  }

  /** Return the last summary of each relationship and subject. */
  cards(n) {
    return [...new Map(this.life.cards.slice(0, countUntil(this.life.cards, n)).map((card) => [card.card, card])).values()];
  }

  plan(n) {
    const { store, life } = this, plan = planOf(life, n), t = app.player.t;
    const begun = lastUntil(life.plans.filter((one) => one.kind === "planned"), n);
    const changes = life.plans.slice(0, countUntil(life.plans, n)).filter((one) => begun && one.n >= begun.n);
    const blocks = Array.isArray(plan?.blocks) ? plan.blocks : [], current = blocks.findIndex((block) => block.t <= t && t < block.until);
    return {
      signature: `${plan?.n} ${current} ${store.version}`,
      build: () => plan ? [
        part("Plan of the day", element("ol", { class: "plan" }, blocks.map((block, i) => element("li", { class: i === current ? "current" : block.until <= t ? "past" : "", "aria-current": i === current ? "time" : null },
          element("span", { class: "when", text: `${store.clock(block.t)}–${store.clock(block.until)}` }), element("span", { class: "two" }, said(block.do), element("span", { class: "quiet" }, said(store.placeName(block.place, block.room)))))))),
        part("How it came to be", element("ul", {}, changes.map((one) => element("li", {}, instant(store, one.t), one.kind === "planned" ? " planned: " : " changed: ", said(one.reason || "no reason given"), " ", whyButton(store, one, life.name))))),
      ] : element("p", { class: "quiet", text: "No plan yet." }),
    };
  }
}

/** Return the numbers in an event, those one level down too, by name. */
function numbersOf(event) {
  const found = [];
  for (const [key, value] of Object.entries(event)) {
    if (typeof value === "number" && !["n", "t", "source", "call", "id", "events"].includes(key)) found.push([key, value]);
    else if (value && typeof value === "object" && !Array.isArray(value)) found.push(...Object.entries(value).filter(([, inner]) => typeof inner === "number"));
  }
  return found;
}

/** Return the choice that led to an act: its own, or the last one where the act was only taken up again, as after a talk. */
function choiceOf(store, life, act) {
  const own = store.thoughtOf.get(`${act.n} ${life.name}`);
  if (own && CHOICES.has(own.what)) return own;
  for (let i = countUntil(life.thoughts, act.n) - 1; i >= 0; i--) if (CHOICES.has(life.thoughts[i].what)) return life.thoughts[i];
  return undefined;
}

/** Return the block of the plan in force by which an act was begun, with the event that made the plan; null where there is none. */
function blockOf(life, act) {
  const made = planOf(life, act.n), block = (made?.blocks ?? []).find((one) => one.t <= act.t && act.t < one.until);
  return block && (block.do === act.do || block.place === act.place) ? { made, block } : null;
}

/** Return a button that opens why an event came about, null where no thought is known to have led to it. */
function whyButton(store, event, who = event.who) {
  const thought = event.kind === "reflected" ? store.thoughts.get(event.n)
    : event.kind === "started" ? choiceOf(store, store.life(who), event) : store.thoughtOf.get(`${event.n} ${who}`);
  return thought ? button("why?", () => app.open({ view: "why", n: thought.n, who }), { class: "link", "aria-label": `Why: ${brief(tell(store, event), 80)}` }) : null;
}

/** Return what is told of somebody without their name at its beginning. */
function ownWords(told, life) {
  const name = brief(life.name, 60);
  return told.startsWith(name) ? told.slice(name.length).replace(/^:? /, "") : told;
}

class ActList {
  constructor(store, life) {
    this.store = store;
    this.life = life;
    this.list = new LongList("Acts", 4.2, (event) => element("div", { class: "entry" }, element("span", { class: "two" },
      element("span", { class: "line2" }, said(ownWords(tell(store, event), life))),
      element("span", { class: "quiet" }, instant(store, event.t), " ", whyButton(store, event, life.name)))), "Nothing done yet.");
    this.holder = this.list.holder;
  }

  update(n) {
    const until = countUntil(this.store.events, n);
    if (this.n === n && this.version === this.store.version) return;
    if (this.version !== this.store.version) this.all = this.store.events.filter((event) => event.who === this.life.name && ["started", "spoke", "left", "plan_changed", "reflected", "turned_back", "fell_back"].includes(event.kind));
    this.n = n;
    this.version = this.store.version;
    const count = countUntil(this.all, n);
    if (count === this.count && until) return;
    this.count = count;
    this.list.set(this.all.slice(0, count).reverse());
  }
}

class PlaceView {
  constructor(store, route) {
    this.store = store;
    this.place = route.place;
    this.title = store.placeName(route.place);
    this.about = store.places.get(route.place) ?? {};
    this.body = element("div", { class: "body" });
    this.holder = element("div", { class: "fills scrolls" }, element("h2", {}, said(this.title)), this.body);
  }

  update(n) {
    const { store, place, about } = this, scene = app.maps[STORES.indexOf(store)].scene;
    const cells = store.boxes.get(place)?.cells.map(([room]) => room) ?? [null];
    const rooms = cells.map((room) => [room, scene.spots.get(spotOf(place, room)) ?? [], changedThings(store, spotOf(place, room), n)]);
    const signature = JSON.stringify(rooms.map(([, there, things]) => [there.map((figure) => figure.life.name + figure.doing), things.map(([thing, state]) => thing + state)]));
    if (signature === this.signature) return;
    this.signature = signature;
    const open = Array.isArray(about.open) ? `open ${hour(about.open[0])}–${hour(about.open[1])}` : "always open";
    const names = (about.things ?? []).map((thing) => brief(thing?.name ?? thing, 40)).join(", ");
    fill(this.body, element("p", { class: "quiet" }, said([open, about.capacity ? `room for ${about.capacity}` : "", names].filter(Boolean).join("; "))),
      rooms.map(([room, there, things]) => part(room ? brief(room, 60) : cells.length > 1 ? "In the open part" : "Here now",
        things.map(([thing, state]) => element("p", { class: "thing" }, "◆ ", said(`${thing}: ${state}`))),
        there.length ? element("ul", {}, there.map((figure) => element("li", {}, person(store, figure.life.name), element("span", { class: "quiet" }, " ", said(figure.doing))))) : element("p", { class: "quiet", text: "nobody" }))));
  }
}

/** Return "08:15" of seconds after midnight. */
function hour(seconds) {
  return `${String(Math.floor(seconds / 3600)).padStart(2, "0")}:${String(Math.floor(seconds / 60) % 60).padStart(2, "0")}`;
}

/** Return tabs; `onchoose` is told which was chosen. */
function tabList(label, tabs, onchoose) {
  const holder = element("div", { class: "tabs inner", role: "tablist", "aria-label": label });
  return furnish(holder, tabs, onchoose);
}

function furnish(holder, tabs, onchoose) {
  const buttons = new Map(tabs.map(([name, text]) => [name, button(text, () => onchoose(name), { role: "tab", "aria-selected": "false", tabindex: "-1", "data-tab": name, "aria-controls": holder.dataset.controls })]));
  holder.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], names = [...buttons.keys()];
    if (!step) return;
    const next = buttons.get(names[(names.indexOf(document.activeElement.dataset.tab) + step + names.length) % names.length]);
    next.focus();
    next.click();
    event.stopPropagation();
    event.preventDefault();
  };
  fill(holder, [...buttons.values()]);
  const choose = (chosen) => {
    for (const [name, one] of buttons) {
      one.setAttribute("aria-selected", String(name === chosen));
      one.tabIndex = name === chosen || (!buttons.has(chosen) && name === tabs[0][0]) ? 0 : -1;
    }
  };
  return { holder, choose };
}
