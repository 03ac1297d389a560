// Inflate (RFC 1951), for browsers that have no DecompressionStream for it. A bit at a time, as in zlib's puff.
const INFLATE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
// The least length or distance of each symbol, and how many further bits it has.
const inflateSteps = (first, extras) => {
  let base = first;
  return extras.map((extra) => {
    const step = { base, extra };
    base += 1 << extra;
    return step;
  });
};
const INFLATE_LENGTHS = inflateSteps(3, [...Array(28).keys()].map((n) => (n < 8 ? 0 : (n >> 2) - 1)));
INFLATE_LENGTHS.push({ base: 258, extra: 0 });
const INFLATE_DISTANCES = inflateSteps(1, [...Array(30).keys()].map((n) => (n < 4 ? 0 : (n >> 1) - 1)));

const inflate = (packed) => {
  const out = [];
  let place = 0; // in bits
  const bits = (count) => {
    let value = 0;
    for (let n = 0; n < count; n += 1, place += 1) {
      value |= ((packed[place >> 3] >> (place & 7)) & 1) << n;
    }
    return value;
  };
  // A code: how many symbols there are of each length, and the symbols in the order of their codes.
  const makeCode = (lengths) => {
    const counts = Array(16).fill(0);
    for (const length of lengths) counts[length] += 1;
    counts[0] = 0;
    const used = [...lengths.keys()].filter((symbol) => lengths[symbol]);
    return { counts, symbols: used.sort((a, b) => lengths[a] - lengths[b] || a - b) };
  };
  const readSymbol = ({ counts, symbols }) => {
    let code = 0;
    let first = 0;
    let before = 0;
    for (let length = 1; length < 16; length += 1) {
      code |= bits(1);
      if (code < first + counts[length]) return symbols[before + code - first];
      before += counts[length];
      first = (first + counts[length]) << 1;
      code <<= 1;
    }
    throw new Error("the games in this page are damaged");
  };
  const readCodes = () => {
    const [literals, distances, some] = [bits(5) + 257, bits(5) + 1, bits(4) + 4];
    const short = Array(19).fill(0);
    for (const symbol of INFLATE_ORDER.slice(0, some)) short[symbol] = bits(3);
    const code = makeCode(short);
    const lengths = [];
    while (lengths.length < literals + distances) {
      const symbol = readSymbol(code);
      if (symbol < 16) lengths.push(symbol);
      else if (symbol === 16) lengths.push(...Array(3 + bits(2)).fill(lengths.at(-1)));
      else lengths.push(...Array(symbol === 17 ? 3 + bits(3) : 11 + bits(7)).fill(0));
    }
    return [makeCode(lengths.slice(0, literals)), makeCode(lengths.slice(literals))];
  };
  const FIXED = [...Array(288).keys()].map((n) => (n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8));
  const copyBlock = () => {
    place = (place + 7) & ~7;
    const length = bits(16);
    bits(16);
    for (let n = 0; n < length; n += 1) out.push(bits(8));
  };
  const readBlock = ([literals, distances]) => {
    for (let symbol = readSymbol(literals); symbol !== 256; symbol = readSymbol(literals)) {
      if (symbol < 256) {
        out.push(symbol);
      } else {
        const { base, extra } = INFLATE_LENGTHS[symbol - 257];
        const length = base + bits(extra);
        const back = INFLATE_DISTANCES[readSymbol(distances)];
        const distance = back.base + bits(back.extra);
        for (let n = 0; n < length; n += 1) out.push(out[out.length - distance]);
      }
    }
  };
  for (let isLast = false; !isLast;) {
    isLast = bits(1) === 1;
    const kind = bits(2);
    if (kind === 0) copyBlock();
    else readBlock(kind === 1 ? [makeCode(FIXED), makeCode(Array(30).fill(5))] : readCodes());
  }
  return Uint8Array.from(out);
};

// The text that a page holds as base64 of deflate.
const unpackText = async (base64) => {
  const packed = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  let stream;
  try {
    stream = new DecompressionStream("deflate-raw");
  } catch {
    return new TextDecoder().decode(inflate(packed)); // not there, or older than this format
  }
  return new Response(new Blob([packed]).stream().pipeThrough(stream)).text();
};
