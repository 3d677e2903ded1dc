// A list of any length of which only the rows in sight are in the page.

class LongList {
  /** `row(item, index)` returns an element of the list's fixed height. */
  constructor(label, height, row, empty = "Nothing here.") {
    this.row = row;
    this.height = height; // in rem
    this.items = [];
    this.shown = "";
    this.empty = element("p", { class: "quiet", text: empty });
    this.sizer = element("div", { class: "sizer", role: "list", "aria-label": label });
    this.holder = element("div", { class: "long", tabindex: "-1", onscroll: () => this.show() }, this.sizer);
    new ResizeObserver(() => this.show(true)).observe(this.holder);
  }

  set(items) {
    this.items = items;
    this.show(true);
  }

  /** Bring a row into sight. */
  reveal(index) {
    const height = this.pixels();
    this.holder.scrollTop = Math.max(0, (index - 2) * height);
    this.show();
  }

  pixels() {
    return this.height * parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  show(fresh = false) {
    const height = this.pixels(), most = Math.ceil((this.holder.clientHeight || 600) / height) + 8;
    const first = Math.max(0, Math.min(this.items.length - most, Math.floor(this.holder.scrollTop / height) - 4));
    const last = Math.min(this.items.length, first + most), range = `${first} ${last} ${height}`;
    if (range === this.shown && !fresh) return;
    this.shown = range;
    const focused = this.sizer.contains(document.activeElement) ? document.activeElement.closest("[data-index]")?.dataset.index : null;
    this.sizer.style.setProperty("height", `${Math.min(this.items.length * height, 8e6)}px`);
    const rows = [];
    for (let i = first; i < last; i++) {
      rows.push(element("div", {
        class: "row", role: "listitem", "aria-setsize": this.items.length, "aria-posinset": i + 1, "data-index": i,
        style: { top: `${i * height}px`, height: `${height}px` },
      }, this.row(this.items[i], i)));
    }
    fill(this.sizer, this.items.length ? rows : this.empty);
    if (focused !== null && focused !== undefined) this.sizer.querySelector(`[data-index="${focused}"] button`)?.focus({ preventScroll: true });
  }
}
