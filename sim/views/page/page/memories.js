// A resident's memory stream, and what a memory rests on.

class MemoryList {
  constructor(store, life) {
    this.store = store;
    this.life = life;
    this.words = element("input", { type: "search", placeholder: "Search these memories", "aria-label": "Search these memories", oninput: () => this.update(this.n, true) });
    this.kind = element("select", { "aria-label": "Kind of memory", onchange: () => this.update(this.n, true) });
    this.count = element("p", { class: "quiet small" });
    this.list = new LongList("Memories, newest first", 4.9, (memory) => this.row(memory), "No memory like that at this moment.");
    this.holder = element("div", { class: "fills" }, element("div", { class: "filters" }, this.words, this.kind), this.count, this.list.holder);
    this.kinds = "";
  }

  row(memory) {
    return button(element("span", { class: "two" }, element("span", { class: "line2" }, said(memory.text)),
      element("span", { class: "quiet foot" }, element("span", { text: `#${memory.id} ${brief(memory.memory_kind, 20)}, ${this.store.stamp(memory.created ?? memory.t)}` }), bar(memory.importance, 10, String(memory.importance), "importance"))),
      () => app.open({ view: "memory", who: this.life.name, id: memory.id }), { class: "wide" });
  }

  update(n, fresh = false) {
    const count = countUntil(this.life.memories, n ?? 0);
    this.n = n;
    if (count === this.known && !fresh) return;
    this.known = count;
    const held = this.life.memories.slice(0, count), kinds = [...new Set(held.map((memory) => memory.memory_kind))].sort();
    if (kinds.join() !== this.kinds) {
      const chosen = this.kind.value;
      this.kinds = kinds.join();
      fill(this.kind, element("option", { value: "", text: "all kinds" }), kinds.map((kind) => element("option", { value: kind, text: brief(kind, 30) })));
      this.kind.value = kinds.includes(chosen) ? chosen : "";
    }
    const wanted = wordsOf(this.words.value);
    const found = held.filter((memory) => (!this.kind.value || memory.memory_kind === this.kind.value) && holdsAll(memory.text, wanted)).reverse();
    this.count.textContent = found.length === held.length ? counted(held.length, "memory").replace("memorys", "memories") : `${found.length.toLocaleString("en")} of ${held.length.toLocaleString("en")} memories`;
    this.list.set(found);
  }
}

/** Return the words that are looked for. */
const wordsOf = (text) => plain(text).toLowerCase().split(" ").filter(Boolean);

/** Return whether a text holds all words, whatever the case. */
function holdsAll(text, words) {
  const folded = String(text ?? "").toLowerCase();
  return words.every((word) => folded.includes(word));
}

class MemoryView {
  constructor(store, route) {
    const life = store.lives.get(route.who), memory = life?.memoryById.get(Number(route.id));
    this.title = `Memory ${route.id}`;
    this.holder = element("div", { class: "fills scrolls" }, element("h2", {}, said(`Memory of ${brief(route.who, 60)}`)),
      memory ? element("ul", { class: "tree" }, evidence(store, life, memory)) : element("p", { class: "quiet", text: "The log holds no such memory." }));
  }

  update() {}
}

/** Return a memory with all that it rests on, as items of a list; what occurs twice is told once. */
function evidence(store, life, memory, told = new Set(), depth = 0) {
  const cited = (Array.isArray(memory.evidence) ? memory.evidence : []).map((id) => life.memoryById.get(id)).filter((one) => one && one.id < memory.id);
  const cut = cited.length > 0 && (told.has(memory.id) || depth > 60);
  told.add(memory.id);
  return element("li", {}, remembrance(store, memory, cut),
    cited.length && !cut ? element("ul", { "aria-label": "because of" }, cited.map((one) => evidence(store, life, one, told, depth + 1))) : null);
}

/** Return one memory in full, with where it is from. */
function remembrance(store, memory, cut = false) {
  const source = typeof memory.source === "number" ? store.event(memory.source) : null;
  const where = source && source.place ? ` at ${store.placeName(source.place)}` : "";
  return element("div", { class: "memory" }, element("p", {}, said(memory.text)),
    element("p", { class: "quiet small" }, `#${memory.id} ${brief(memory.memory_kind, 20)}, importance ${memory.importance}, `, instant(store, memory.created ?? memory.t), cut ? "; what it rests on stands above" : ""),
    source ? element("p", { class: "quiet small" }, "from: ", said(brief(tell(store, source), 300) + where), " ", source.talk ? button("the talk", () => app.open({ view: "talk", id: source.talk }), { class: "link" }) : null) : null);
}
