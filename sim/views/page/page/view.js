// The page as a whole: it unpacks the runs, lets time pass, and shows in the panel what was chosen.

const VIEWS = {
  people: PeopleView, person: PersonView, memory: MemoryView, why: WhyView, talks: TalksView, talk: TalkView, search: SearchView,
  news: NewsView, place: PlaceView,
};
const TABS = [["people", "People"], ["talks", "Talks"], ["search", "Search"], ["news", "Who knows"], ["help", "?"]];
const PART_OF = { person: "people", place: "people", memory: "people", why: "people", talk: "talks" };
const ROUTE = ["view", "who", "n", "id", "place", "q", "tab", "news"];
const STILL_AFTER = 1500; // milliseconds for which figures may still be on their way to their places
const PANEL_EVERY = 250; // milliseconds between two looks of the panel at the time

class HelpView {
  constructor() {
    this.title = "Keys";
    this.holder = element("div", { class: "fills scrolls" }, element("h2", { text: "Keys" }),
      element("dl", { class: "keys" }, KEYS.map(([key, words]) => [element("dt", {}, element("kbd", { text: key })), element("dd", { text: words })])),
      element("p", { class: "quiet", text: "On the map: arrow keys move it, + and − enlarge and reduce it, 0 shows the whole town; drag, wheel and two fingers do the same. The moment stands in the address: copy it to link to it." }));
  }

  update() {}
}

class App {
  constructor(data) {
    this.data = data;
    this.run = 0;
    this.route = { view: "people" };
    this.trail = [];
    this.selected = null;
    this.followed = null;
    this.marking = true; // whether those who know the news are marked on the map
    this.calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  get store() { return STORES[this.run]; }

  /** Unpack the runs and begin. */
  async start() {
    for (const head of this.data.runs) {
      const store = new Store(head);
      STORES.push(store);
      const [events, told] = await Promise.all([unpack(head.log), unpack(head.told)]);
      store.take(events);
      store.last = Math.max(store.last, head.last);
      store.takeTold(told);
    }
    this.player = new Player(Math.max(...STORES.map((store) => store.ends)));
    this.maps = STORES.map((store, run) => new TownMap(store, `Map of ${this.label(run)}`, (picked) => this.pick(run, picked)));
    fill(document.getElementById("stage"), this.maps.map((map, run) => element("figure", {}, STORES.length > 1 ? element("figcaption", {}, said(this.label(run))) : null, map.holder)));
    document.getElementById("stage").classList.toggle("pair", STORES.length > 1);
    this.maps.forEach((map) => map.resize());
    this.controls = new Controls(this.player);
    this.tabs = furnish(document.getElementById("tabs"), TABS.filter(([name]) => name !== "news" || STORES.some((store) => store.news.length)), (view) => this.open({ view }));
    this.heading();
    this.maps.forEach((map) => map.scene.update(0));
    this.read();
    window.addEventListener("hashchange", () => this.read());
    document.addEventListener("keydown", onKey);
    for (const query of ["(prefers-color-scheme: dark)"]) window.matchMedia(query).addEventListener("change", () => { this.maps.forEach((map) => map.restyle()); this.controls.paint(); });
    for (const kind of ["pointermove", "pointerdown", "keydown", "wheel", "resize", "focusin"]) window.addEventListener(kind, () => this.stir(), { passive: true });
    this.before = performance.now();
    this.looked = 0;
    this.stir();
    requestAnimationFrame((now) => this.frame(now));
  }

  label(run) {
    const store = STORES[run], twin = STORES.filter((one) => one.name === store.name).length > 1;
    return `${STORES.length > 1 ? `${"AB"[run]}: ` : ""}${brief(store.started?.scenario ?? "A town", 60)} (${brief(store.name, 60)}${twin ? ` ${run + 1}` : ""}${store.started?.arm && store.started.arm !== "full" ? `, arm ${brief(store.started.arm, 30)}` : ""})`;
  }

  heading() {
    const { started } = STORES[0], states = STORES.map((store) => store.state);
    fill(document.getElementById("title"), said(brief(started?.scenario ?? "A town", 80)));
    const state = document.getElementById("state"), unfinished = !this.data.live && states.some((one) => one !== "done"); // a live page says itself how things are
    state.hidden = !unfinished && STORES.length < 2;
    const words = this.data.parting ? this.data.parting.n === null ? "Both runs tell the same." : `They share ${counted(this.data.parting.n, "event")}, then part at ${STORES[0].stamp(this.data.parting.t, true)}. ` : "";
    fill(state, unfinished ? element("span", { text: states.includes("running") ? "The run is still going on, or was broken off: this is what was logged. " : "The run was not ended in order: this is what was logged. " }) : null, words,
      STORES.length > 1 ? element("label", {}, "Panel: ", element("select", { id: "which", onchange: (event) => this.choose(Number(event.target.value)) }, STORES.map((_, run) => element("option", { value: run, text: this.label(run), selected: run === this.run })))) : null,
      this.data.parting?.told?.length ? element("details", {}, element("summary", { text: "What differs first" }), element("ul", {}, this.data.parting.told.map((line, run) => element("li", {}, `${"AB"[run]} `, said(brief(line, 400)))), button("go there", () => this.go(this.data.parting.t, true), { class: "link" }))) : null);
  }

  choose(run) {
    this.run = run;
    const which = document.getElementById("which");
    if (which) which.value = String(run);
    this.open(PART_OF[this.route.view] && !this.store.lives.has(this.route.who) ? { view: PART_OF[this.route.view] } : this.route, true);
  }

  pick(run, picked) {
    if (run !== this.run) { this.run = run; const which = document.getElementById("which"); if (which) which.value = String(run); }
    this.open(picked.who ? { view: "person", who: picked.who, tab: this.route.view === "person" ? this.route.tab : undefined } : { view: "place", place: picked.place });
  }

  /** Show something in the panel; what was there before can be gone back to. */
  open(route, instead = false) {
    if (!instead && this.shown && JSON.stringify(route) !== JSON.stringify(this.route)) this.trail.push({ ...this.route, run: this.run });
    if (this.trail.length > 100) this.trail.shift();
    this.route = Object.fromEntries(Object.entries(route).filter(([key, value]) => ROUTE.includes(key) && value !== undefined && value !== null));
    if (!Object.hasOwn(VIEWS, this.route.view) && this.route.view !== "help") this.route = { view: "people" };
    if (this.route.who) this.selected = this.route.who;
    if (TABS.some(([name]) => name === this.route.view)) this.trail = this.route.view === "help" ? this.trail : [];
    const tab = PART_OF[this.route.view] ?? this.route.view;
    this.tabs.choose(tab);
    this.shown = this.route.view === "help" ? new HelpView() : new VIEWS[this.route.view](this.store, this.route);
    const holder = document.getElementById("view"), hadFocus = holder.contains(document.activeElement);
    fill(holder, this.trail.length || PART_OF[tab] || PART_OF[this.route.view] ? button("‹ back", () => this.back(), { class: "link back" }) : null, this.shown.holder);
    if (!holder.querySelector("h2")) holder.prepend(element("h2", { class: "unseen", text: this.shown.title }));
    holder.setAttribute("aria-label", this.shown.title);
    if (hadFocus) holder.focus({ preventScroll: true });
    this.look();
    this.write();
  }

  /** Go back to what the panel showed before. */
  back() {
    const last = this.trail.pop();
    if (last) this.run = last.run;
    this.open(last ?? { view: PART_OF[this.route.view] ?? "people" }, true);
  }

  /** Remember a detail of what is shown, for the address. */
  note(details) {
    for (const [key, value] of Object.entries(details)) if (value === null) delete this.route[key]; else this.route[key] = value;
    this.write();
  }

  why() {
    const life = this.store.lives.get(this.selected), n = this.store.numberAt(this.player.t), act = life && lastUntil(life.acts, n);
    const thought = life && ((act && choiceOf(this.store, life, act)) ?? lastUntil(life.thoughts, n));
    if (thought) this.open({ view: "why", n: thought.n, who: life.name });
    else this.announce("Choose a resident first");
  }

  news(store = this.store) { return store.news.find((one) => one.name === this.followed); }

  known(store = this.store) { return knowingAt(this.news(store), this.player.t); }

  /** Go to a second of the run. */
  go(t, tell = false) {
    this.player.t = Math.max(0, Math.min(this.player.ends, t));
    this.controls.move();
    this.look();
    this.write();
    if (tell) this.announce(this.store.stamp(this.player.t));
  }

  toggle() {
    const { player } = this;
    if (!player.playing && player.t >= player.ends) player.t = 0;
    player.playing = !player.playing;
    this.controls.show();
    if (!player.playing) { this.announce(`Paused at ${this.store.stamp(player.t)}`); this.write(); }
  }

  faster(step) {
    const at = SPEEDS.findIndex(([speed]) => speed === this.player.speed);
    this.player.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + step))][0];
    this.controls.show();
    this.announce(SPEEDS.find(([speed]) => speed === this.player.speed)[1]);
  }

  /** Say something to those who listen to the page. */
  announce(words) { document.getElementById("said").textContent = words; }

  refresh() { this.shown.signature = undefined; this.look(); }

  /** Let the panel look at the time. */
  look() {
    this.looked = performance.now();
    this.stir();
    for (const map of this.maps) map.scene.update(map.store.numberAt(this.player.t));
    this.shown?.update(this.store.numberAt(this.player.t));
  }

  /** Let the map be painted for a while, whether time passes or not. */
  stir() { this.stirred = performance.now(); }

  frame(now) {
    requestAnimationFrame((next) => this.frame(next));
    const real = (now - this.before) / 1000, { player } = this;
    if (!player.playing && now - this.stirred > STILL_AFTER) return; // nothing moves, so nothing is painted
    if (player.playing && this.calm.matches && real < 0.5) return; // little motion was asked for: two pictures a second
    this.before = now;
    player.pass(real, player.playing && this.maps.every((map) => map.scene.figures.every((figure) => figure.asleep && figure.where.kind === "spot")));
    for (const map of this.maps) {
      const n = map.store.numberAt(player.t);
      map.paint(player.t, { n, speed: player.speed, playing: player.playing, selected: this.selected, known: this.marking ? this.known(map.store) : null, calm: this.calm.matches, real: Math.min(real, 0.1) });
    }
    this.clock();
    if (!player.playing) return;
    this.controls.move();
    if (now - this.looked > PANEL_EVERY) { this.look(); if (now - (this.wrote ?? 0) > 1000) this.write(); }
  }

  clock() {
    const t = Math.floor(this.player.t), stamp = STORES[0].stamp(t, this.player.speed < 60);
    if (stamp === this.stamped) return;
    this.stamped = stamp;
    const [sign_, words] = dayPart(STORES[0].hour(t));
    document.getElementById("now").textContent = stamp;
    document.getElementById("now").dateTime = new Date(STORES[0].origin + t * 1000).toISOString().slice(0, 19);
    document.getElementById("sky").textContent = sign_;
    document.getElementById("daytime").textContent = words;
  }

  /** Put the moment and what is shown into the address. */
  write() {
    this.wrote = performance.now();
    const values = new URLSearchParams({ t: new Date(STORES[0].origin + Math.floor(this.player.t) * 1000).toISOString().slice(0, 19) });
    if (this.run) values.set("run", this.run);
    for (const key of ROUTE) if (this.route[key] !== undefined && !(key === "view" && this.route.view === "people")) values.set(key, this.route[key]);
    if (this.followed && !values.has("news")) values.set("news", this.followed);
    this.address = `#${values.toString().replaceAll("%3A", ":")}`;
    try { history.replaceState(null, "", this.address); } catch { /* a browser may refuse it for a file, or many in a row */ }
  }

  /** Take the moment and what is to be shown from the address. */
  read() {
    if (this.address !== undefined && location.hash === this.address) return;
    const values = new URLSearchParams(location.hash.slice(1)), given = values.get("t") ?? "";
    const t = /^\d+$/.test(given) ? Number(given) : (Date.parse(`${given.slice(0, 19)}Z`) - STORES[0].origin) / 1000;
    this.run = values.get("run") === "1" && STORES.length > 1 ? 1 : 0;
    this.followed = values.get("news") ?? this.followed;
    const woke = this.store.events.find((event) => event.kind === "woke")?.t ?? 0;
    const first = this.store.events.find((event) => event.kind === "spoke" && event.t >= woke)?.t + 304 || woke; // with words in the air
    this.player.t = Number.isFinite(t) && given ? Math.max(0, Math.min(this.player.ends, t)) : Math.max(0, first - 300);
    this.controls.show();
    this.open(Object.fromEntries([["view", "people"], ...ROUTE.map((key) => [key, values.get(key)]).filter(([, value]) => value !== null)]), true);
  }

  /** Take what a run that goes on has told since; see the page's maker for the form. */
  append(fresh, run = 0) {
    const store = STORES[run], { player } = this, follows = player.t >= player.ends - 1;
    store.take(fresh.lines.map((line) => (typeof line === "string" ? JSON.parse(line) : line)));
    store.takeTold(fresh);
    player.ends = Math.max(...STORES.map((one) => one.ends));
    if (follows) player.t = player.ends;
    this.heading();
    this.controls.show();
    this.controls.paint();
    this.look();
  }

  /** Say that something went wrong. */
  fail(error) {
    const trouble = document.getElementById("trouble");
    trouble.hidden = false;
    trouble.textContent = `Something on this page went wrong: ${error?.message ?? error}`;
  }
}

async function begin() {
  if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old (it cannot unpack the run): update it");
  app = new App(JSON.parse(document.getElementById("data").textContent));
  window.townsfolk = {
    ready: false, callSource: null,
    append: (fresh, run) => app.append(fresh, run),
    go: (t) => app.go(t),
  };
  await app.start();
  window.townsfolk.ready = true;
  document.documentElement.dataset.ready = "";
  document.dispatchEvent(new Event("townsfolk-ready"));
}

begin().catch((error) => {
  const trouble = document.getElementById("trouble");
  trouble.hidden = false;
  trouble.textContent = `This page cannot be shown: ${error.message}`;
});
