// What things look like on the map; lengths here are pixels.

const MAP_COLORS = [
  "ground", "path", "road", "floor", "wall", "garden", "garden-edge", "ink", "faint", "halo", "bubble", "bubble-ink",
  "accent", "thing", "lamp", "night",
];

const INDOORS = /\b(house|home|flat|apartment|cottage|hut|hall|store|shop|caf[eé]|pub|bar|inn|hotel|school|college|library|dorm|office|church|gallery|museum|pharmacy|mill|barn|workshop|studio)s?\b/;
const OUTDOORS = /\b(park|garden|green|square|plaza|field|meadow|beach|shore|forest|wood|yard|playground|pond|lake|hill|orchard)s?$/;

/** Return the colors of the style sheet that the map uses. */
function colorsOf(holder) {
  const style = getComputedStyle(holder);
  return Object.fromEntries(MAP_COLORS.map((name) => [name, style.getPropertyValue(`--${name}`).trim() || "#888"]));
}

/** Return a resident's color: far from those before and after, greyer asleep, always dark enough for white letters. */
function colorOf(life, asleep) {
  const key = asleep ? "color asleep" : "color awake";
  life[key] ??= legibleColor((life.index * 137.508 + 210) % 360, asleep ? 0.2 : 0.55);
  return life[key];
}

/** Return the lightest color of a hue and a saturation on which white can be read (contrast 4.6, WCAG 2). */
function legibleColor(hue, saturation) {
  for (let lightness = 0.46; ; lightness -= 0.01) {
    const channel = (n) => {
      const at = (n + hue / 30) % 12, value = lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(at - 3, 9 - at, 1));
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    };
    if (1.05 / (0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4) + 0.05) >= 4.6 || lightness < 0.05) {
      return `hsl(${hue.toFixed(1)} ${(saturation * 100).toFixed(0)}% ${(lightness * 100).toFixed(0)}%)`;
    }
  }
}

function roundBox(context, x, y, w, h, radius) {
  context.beginPath();
  context.roundRect(x, y, w, h, Math.min(radius, w / 2, h / 2));
}

/** Write with an edge in the color of the ground, so that it can be read on anything. */
function haloed(context, text, x, y, ink, halo) {
  context.lineWidth = 3.5;
  context.lineJoin = "round";
  context.strokeStyle = halo;
  context.strokeText(text, x, y);
  context.fillStyle = ink;
  context.fillText(text, x, y);
}

/** Return a text in lines of a width, at most so many; what is left out becomes dots. */
function wrapped(context, text, width, most, cache) {
  const key = `${context.font} ${width} ${most} ${text}`;
  if (cache.has(key)) return cache.get(key);
  if (cache.size > 2000) cache.clear();
  const lines = [];
  let line = "", rest = false;
  for (const word of brief(text, 400).split(" ").flatMap((long) => long.match(/.{1,24}/gu) ?? [])) {
    const longer = line ? `${line} ${word}` : word;
    if (context.measureText(longer).width <= width || !line) { line = longer; continue; }
    if (lines.length === most - 1) { rest = true; break; }
    lines.push(line);
    line = word;
  }
  lines.push(rest ? `${line} …` : line);
  cache.set(key, lines);
  return lines;
}

/** Paint ground, paths and places. */
function paintTown(context, view, colors, store, states) {
  context.fillStyle = colors.ground;
  context.fillRect(0, 0, view.width, view.height);
  context.lineCap = "round";
  const { roads, edges } = store.head.ways;
  for (const [width, color] of roads ? [[0.4, colors.wall], [0.34, colors.road]] : [[0.17, colors.path]]) {
    context.strokeStyle = color;
    context.lineWidth = Math.max(1.5, view.scale * width);
    context.beginPath();
    for (const [from, to] of edges) {
      const a = store.boxes.get(from), b = store.boxes.get(to);
      if (!a || !b) continue;
      context.moveTo(...view.to(a.x, a.y));
      context.lineTo(...view.to(b.x, b.y));
    }
    context.stroke();
  }
  for (const [place, box] of store.boxes) paintPlace(context, view, colors, store, place, box, states.get(place));
}

/** Return whether a place is out of doors: nobody's home, no rooms, no opening hours, no limit to how many fit in.
 *  A word of its name settles what runs from elsewhere leave open: whether a place without rooms is a house, and
 *  whether a room that is called as its place is ("park") makes it one. */
function isOpenAir(store, place) {
  const about = store.places.get(place) ?? {}, name = plain(about.name ?? place).toLowerCase();
  store.homes ??= new Set([...store.lives.values()].map((life) => life.about.home));
  if (store.homes.has(place) || about.open || about.capacity || INDOORS.test(name)) return false;
  const rooms = (about.rooms ?? []).map((room) => plain(room?.name ?? room).toLowerCase());
  return OUTDOORS.test(name) ? rooms.every((room) => name.includes(room)) : !rooms.length;
}

/** Strike through a place that is not as usual. */
function hatch(context, view, colors, x, y, w, h) {
  context.save();
  context.beginPath();
  context.rect(x, y, w, h);
  context.clip();
  context.strokeStyle = colors.faint;
  context.globalAlpha = 0.5;
  context.lineWidth = Math.max(1, view.scale * 0.02);
  context.beginPath();
  for (let at = -h; at < w; at += Math.max(6, view.scale * 0.16)) { context.moveTo(x + at, y + h); context.lineTo(x + at + h, y); }
  context.stroke();
  context.restore();
}

function paintPlace(context, view, colors, store, place, box, state) {
  const [x, y] = view.to(box.x - box.w / 2, box.y - box.h / 2), w = box.w * view.scale, h = box.h * view.scale;
  const openAir = isOpenAir(store, place);
  roundBox(context, x, y, w, h, view.scale * (openAir ? 0.5 : 0.1));
  context.fillStyle = openAir ? colors.garden : colors.floor;
  context.fill();
  context.strokeStyle = openAir ? colors["garden-edge"] : colors.wall;
  context.lineWidth = Math.max(1, view.scale * (openAir ? 0.02 : 0.045));
  context.stroke();
  if (state) hatch(context, view, colors, x, y, w, h);
  if (openAir || box.cells.length < 2) return;
  context.lineWidth = Math.max(0.6, view.scale * 0.022);
  context.beginPath();
  for (const [, cx, cy, cw, ch] of box.cells) {
    if (cx > 0.001) { context.moveTo(x + cx * view.scale, y + cy * view.scale); context.lineTo(x + cx * view.scale, y + (cy + ch) * view.scale); }
    if (cy > 0.001) { context.moveTo(x + cx * view.scale, y + cy * view.scale); context.lineTo(x + (cx + cw) * view.scale, y + cy * view.scale); }
  }
  context.stroke();
}

/** Write the names of places, and of rooms where there is room; names are never darkened by the night. */
function paintNames(context, view, colors, store, taken, cache, states) {
  const size = Math.max(view.width < 500 ? 10 : 11, Math.min(view.text * 1.05, view.scale * 0.33));
  context.textAlign = "center";
  for (const box of store.boxes.values()) {
    const [x, y] = view.to(box.x - box.w / 2, box.y - box.h / 2);
    taken.push({ x, y, w: box.w * view.scale, h: box.h * view.scale });
  }
  for (const [place, box] of store.boxes) {
    context.font = `600 ${size}px ${view.family}`;
    const [x, y] = view.to(box.x, box.y - box.h / 2);
    const found = nameWays(context, store.placeName(place) + (states.get(place) ? ` (${brief(states.get(place), 30)})` : ""), { x, top: y, w: box.w * view.scale, h: box.h * view.scale }, size, cache)
      .find(({ area }) => free(area, taken) && area.x > 0 && area.x + area.w < view.width);
    if (!found) continue;
    taken.push(found.area);
    context.textBaseline = "alphabetic";
    found.lines.forEach((line, i) => haloed(context, line, found.x, found.y - size * (0.45 + 1.1 * (found.lines.length - 1 - i)), colors.ink, colors.halo));
  }
  if (view.scale < 44) return;
  context.font = `${Math.min(size * 0.85, view.scale * 0.16)}px ${view.family}`;
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillStyle = colors.faint;
  for (const [, box] of store.boxes) {
    for (const [room, cx, cy, cw] of box.cells) {
      if (!room) continue;
      const [x, y] = view.to(box.x - box.w / 2 + cx + 0.07, box.y - box.h / 2 + cy + 0.06);
      const shown = fitted(context, brief(room, 40), (cw - 0.1) * view.scale);
      context.fillText(shown, x, y);
      taken.push({ x, y, w: context.measureText(shown).width, h: Math.min(size * 0.85, view.scale * 0.16) });
    }
  }
}

/** Return ways of writing a name at a place, best first: lines, the middle of each, the base of the last, and their area.
 *  A whole name in several lines, beside the middle or below is better than one that is cut. */
function nameWays(context, name, { x, top, w: width, h }, size, cache) {
  const [one, two, three] = [1, 2, 3].map((most) => balanced(context, name, most, cache));
  const wideOf = (lines) => Math.max(...lines.map((line) => context.measureText(line).width)) + 6;
  const beside = (lines) => [-0.25, 0.25, -0.35, 0.35, -0.45, 0.45].map((part) => [lines, part * Math.min(width + size * 2, wideOf(lines))]);
  const cut = [14, 10, 7, 5].map((most) => [[fitted(context, name, Math.max(width, size * most))], 0]).filter(([[line]]) => Array.from(line).length > 5);
  const ways = [...(wideOf(one) <= Math.max(width * 1.6, size * 16) ? [[one, 0]] : []), [two, 0], ...beside(one), [one, 0], [three, 0], ...beside(two), ...beside(three), [one, 0, true], [two, 0, true], [three, 0, true], ...cut];
  return ways.map(([lines, aside, below]) => {
    const wide = wideOf(lines), high = size * (0.25 + 1.1 * lines.length);
    const y = below ? top + h + high + size * 0.3 : top;
    return { lines, x: x + aside, y, area: { x: x + aside - wide / 2, y: y - high - size * 0.15, w: wide, h: high } };
  });
}

/** Return a text in at most so many lines of about one length, none of it left out. */
function balanced(context, text, most, cache) {
  const key = `balanced ${context.font} ${most} ${text}`;
  if (cache.has(key)) return cache.get(key);
  const words = text.split(" ").filter(Boolean);
  let best = [text], least = context.measureText(text).width;
  const split = (done, rest, left) => {
    if (left === 1 || rest.length === 1) {
      const lines = [...done, rest.join(" ")], wide = Math.max(...lines.map((line) => context.measureText(line).width));
      if (wide < least) { best = lines; least = wide; }
      return;
    }
    for (let i = 1; i < rest.length; i++) split([...done, rest.slice(0, i).join(" ")], rest.slice(i), left - 1);
  };
  if (words.length > 1 && words.length <= 12) split([], words, most);
  cache.set(key, best);
  return best;
}

/** Return a text cut to a width. */
function fitted(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  const letters = Array.from(text);
  let low = 1, high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(letters.slice(0, middle).join("") + "…").width <= width) low = middle; else high = middle - 1;
  }
  return letters.slice(0, low).join("").trimEnd() + "…";
}

/** Return whether an area overlaps none of those taken. */
function free(area, taken) {
  return taken.every((one) => area.x + area.w <= one.x || one.x + one.w <= area.x || area.y + area.h <= one.y || one.y + one.h <= area.y);
}

/** Paint a figure: a disk with two letters, paler asleep; a star says that it knows the news that is followed. */
function paintFigure(context, view, colors, figure, marks) {
  const { px, py, pr } = figure;
  context.beginPath();
  context.arc(px, py, pr, 0, Math.PI * 2);
  context.fillStyle = colorOf(figure.life, figure.asleep);
  context.fill();
  context.lineWidth = Math.max(1, pr * 0.12);
  context.strokeStyle = colors.halo;
  context.stroke();
  if (marks.selected || marks.hovered) {
    context.beginPath();
    context.arc(px, py, pr + 3, 0, Math.PI * 2);
    context.lineWidth = marks.selected ? 3 : 1.5;
    context.strokeStyle = colors.accent;
    context.stroke();
  }
  if (pr >= 6.5) {
    context.font = `700 ${pr * 0.95}px ${view.family}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = "#fff";
    context.fillText(figure.initials, px, py + pr * 0.06);
  }
  if (figure.asleep && pr >= 5) sign(context, view, colors, "z", px + pr * 0.85, py - pr * 0.8, pr);
  if (figure.signs && pr >= 6) sign(context, view, colors, Array.from(figure.signs).slice(0, 4).join(""), px + pr * 0.9, py - pr * 0.9, pr * 0.8);
  if (marks.knows) star(context, colors, px - pr * 0.75, py - pr * 0.75, Math.max(3.5, pr * 0.5));
}

function sign(context, view, colors, letter, x, y, size) {
  context.font = `italic 700 ${Math.max(9, size)}px ${view.family}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  haloed(context, letter, x, y, colors.ink, colors.halo);
}

function star(context, colors, x, y, radius) {
  context.beginPath();
  for (let i = 0; i < 10; i++) {
    const angle = Math.PI * (i / 5 - 0.5), length = i % 2 ? radius * 0.48 : radius;
    context.lineTo(x + Math.cos(angle) * length, y + Math.sin(angle) * length);
  }
  context.closePath();
  context.lineWidth = Math.max(1.2, radius * 0.4);
  context.lineJoin = "round";
  context.strokeStyle = colors.halo;
  context.stroke();
  context.fillStyle = colors.accent;
  context.fill();
}

/** Paint what somebody says near them, best where it hides nobody; return whether it could be placed.
 *  `cell` is the top and the bottom of where they are; `people` are the areas of all figures. */
function paintBubble(context, view, colors, figure, text, cell, taken, people, cache) {
  const size = view.text * 0.86, line = size * 1.28, pad = size * 0.55;
  context.font = `${size}px ${view.family}`;
  const lines = wrapped(context, text, Math.min(view.text * 13, view.width * 0.45), 3, cache);
  const w = Math.max(...lines.map((one) => context.measureText(one).width)) + pad * 2, h = lines.length * line + pad * 1.3;
  const x = Math.max(4, Math.min(view.width - w - 4, figure.px - w / 2));
  const tries = [figure.py - figure.pr - 9 - h, figure.py + figure.pr + 9, cell.top - h - 4, cell.bottom + 6]
    .filter((one) => one > 2 && one + h < view.height && free({ x, y: one, w, h }, taken));
  const y = tries.find((one) => free({ x, y: one, w, h }, people)) ?? tries[0];
  if (y === undefined) return false;
  taken.push({ x, y, w, h });
  const tail = Math.max(x + 9, Math.min(x + w - 9, figure.px)), above = y < figure.py, edge = above ? y + h : y;
  context.fillStyle = colors.bubble;
  context.strokeStyle = colors.wall;
  context.lineWidth = 1;
  roundBox(context, x, y, w, h, 8);
  context.fill();
  context.stroke();
  context.beginPath();
  context.moveTo(tail - 5, edge + (above ? -1 : 1));
  context.lineTo(figure.px, above ? figure.py - figure.pr - 1 : figure.py + figure.pr + 1);
  context.lineTo(tail + 5, edge + (above ? -1 : 1));
  context.fill();
  context.fillStyle = colors["bubble-ink"];
  context.textAlign = "left";
  context.textBaseline = "top";
  lines.forEach((one, i) => context.fillText(one, x + pad, y + pad * 0.75 + i * line));
  return true;
}
