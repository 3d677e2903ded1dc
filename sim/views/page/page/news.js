// How news goes round: who knows at this moment, and who has it from whom.

const HOW = {
  before: "knew it before the run", thought: "had the idea", happened: "saw it happen", seen: "saw it", told: "was told", overheard: "overheard it",
  concluded: "concluded it",
};

class NewsView {
  constructor(store, route) {
    this.store = store;
    this.title = "Who knows";
    if (route.news && store.news.some((one) => one.name === route.news)) app.followed = route.news;
    this.chooser = element("select", { "aria-label": "Which news to follow", onchange: () => { app.followed = this.chooser.value; app.note({ news: app.followed }); app.refresh(); } },
      store.news.map((one) => element("option", { value: one.name, text: brief(one.name, 60) })));
    this.ask = element("p", { class: "quiet" });
    this.count = element("div", { class: "measure" });
    this.body = element("div", { class: "body" });
    this.holder = element("div", { class: "fills scrolls" }, store.news.length ? [
      element("div", { class: "filters" }, this.chooser, button("next step", () => app.controls.jump(1, "news"))), this.ask, this.count,
      element("label", { class: "small" }, element("input", { type: "checkbox", checked: app.marking, onchange: (event) => { app.marking = event.target.checked; app.look(); } }), " ", element("span", { class: "star", text: "★" }), " on the map: knows it by now"), this.body,
    ] : element("p", { class: "quiet", text: "The scenario of this run measures no news (see measures: knows: in a scenario file)." }));
    if (store.news.length) app.followed ??= store.news[0].name;
  }

  update() {
    const news = app.news(this.store);
    if (!news) return;
    this.chooser.value = news.name;
    const t = app.player.t, known = knowingAt(news, t), signature = `${news.name} ${known.size} ${this.store.version}`;
    if (signature === this.signature) return;
    this.signature = signature;
    this.ask.textContent = plain(news.ask);
    const people = this.store.lives.size;
    fill(this.count, bar(known.size, people, `${known.size} of ${people} know`));
    const bearers = [...known.values()], children = Map.groupBy ? Map.groupBy(bearers, (one) => one.parent) : groupedByParent(bearers);
    const roots = bearers.filter((one) => one.parent === null || one.parent === undefined || !known.has(one.parent));
    const unaware = [...this.store.lives.keys()].filter((name) => !known.has(name));
    fill(this.body, part("Who told whom", roots.length ? element("ul", { class: "tree" }, roots.map((one) => this.branch(one, children))) : element("p", { class: "quiet", text: "Nobody knows yet." })),
      part("Who does not know", unaware.length && known.size ? element("p", {}, unaware.flatMap((name, i) => [i ? ", " : "", person(this.store, name)])) : null));
  }

  branch(bearer, children, depth = 0) {
    const { store } = this, source = typeof bearer.source === "number" ? store.event(bearer.source) : null, life = store.lives.get(bearer.who);
    const teller = bearer.teller && bearer.parent === null ? [" by ", person(store, bearer.teller)] : null;
    return element("li", {}, element("div", { class: "memory" }, element("p", {}, badge(store, life, false), " ", person(store, bearer.who)),
      element("p", { class: "quiet small" }, HOW[bearer.how] ?? plain(bearer.how), teller, " ", instant(store, bearer.t), " ",
        source?.talk ? button("the talk", () => { app.go(source.t, true); app.open({ view: "talk", id: source.talk, n: source.n }); }, { class: "link" })
          : button("the memory", () => app.open({ view: "memory", who: bearer.who, id: bearer.memory }), { class: "link" }))),
    depth < 200 && children.has(bearer.who) ? element("ul", {}, children.get(bearer.who).map((one) => this.branch(one, children, depth + 1))) : null);
  }
}

function groupedByParent(bearers) {
  const found = new Map();
  for (const one of bearers) found.set(one.parent, [...(found.get(one.parent) ?? []), one]);
  return found;
}
