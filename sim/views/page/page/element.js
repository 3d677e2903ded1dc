// Building blocks of the page.  Whatever comes from a run reaches it as text, never as markup.

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const LABEL_MOST = 120; // characters of a name that are shown: longer ones are cut, with dots

/** Return an element; options are attributes, `text`, `style` (an object) and listeners such as `onclick`. */
function element(name, options, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(options ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") made.textContent = value;
    else if (key === "style") for (const [property, set] of Object.entries(value)) made.style.setProperty(property, set);
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Return a text without what turns the direction of writing or cannot be seen; line breaks become spaces. */
function plain(text) {
  return String(text ?? "").replace(/\s+/g, " ").replace(UNSEEN, "");
}

/** Return the beginning of a text, with dots where it is cut. */
function brief(text, most = LABEL_MOST) {
  const letters = Array.from(plain(text));
  return letters.length > most ? letters.slice(0, most - 1).join("").trimEnd() + "…" : letters.join("");
}

/** Return a name or a text of the run as an element whose direction of writing is its own. */
function said(text, options) {
  return element("bdi", { text: plain(text), ...options });
}

/** Return a heading and what belongs to it, nothing at all where there is nothing. */
function part(title, ...children) {
  const kept = children.flat(Infinity).filter(Boolean);
  return kept.length ? element("section", { class: "part" }, element("h3", { text: title }), kept) : null;
}

/** Return a button. */
function button(label, onclick, options) {
  return element("button", { type: "button", onclick, ...options }, typeof label === "string" ? plain(label) : label);
}

/** Return a bar of `value` from 0 to `most`, its number beside it. */
function bar(value, most, words, kind = "") {
  const share = most > 0 ? Math.max(0, Math.min(1, value / most)) : 0;
  return element("span", { class: `bar ${kind}` },
    element("span", { class: "track", "aria-hidden": "true" },
      element("span", { class: "fill", style: { width: `${(share * 100).toFixed(1)}%` } })),
    element("span", { class: "value", text: words ?? String(value) }));
}

/** Return `count` with its noun: "1 talk", "3 talks". */
function counted(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Replace all that an element holds. */
function fill(holder, ...children) {
  holder.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
}
