/** Buckets of devices (docs/bucketing.md): MurmurHash3 x86 32-bit with seed 0 of the UTF-8 bytes of `salt:deviceId`. */

const BUCKETS = 10_000;
const HASHES = 4_294_967_296;
const REPLACEMENT = 0xfffd;

/** Return the bucket of a device, 0 to 9999. */
export function bucketOf(salt: string, deviceId: string): number {
  return Math.floor((murmur3(utf8(`${salt}:${deviceId}`)) * BUCKETS) / HASHES);
}

/** Return whether a device is inside the first `percentage` per cent of the buckets. */
export function isInside(salt: string, percentage: number, deviceId: string): boolean {
  return bucketOf(salt, deviceId) < Math.round(percentage * 100);
}

/** Return the unsigned hash of bytes. */
export function murmur3(bytes: readonly number[]): number {
  let hash = 0;
  let place = 0;
  const byte = (offset: number) => bytes[place + offset] ?? 0;
  for (; place + 4 <= bytes.length; place += 4) {
    hash ^= scrambled(byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24));
    hash = (hash << 13) | (hash >>> 19);
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0;
  }
  if (place < bytes.length) {
    hash ^= scrambled(byte(0) | (byte(1) << 8) | (byte(2) << 16));
  }
  hash ^= bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scrambled(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

/** Return the UTF-8 bytes of a text. React Native has no TextEncoder. */
export function utf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    let code = character.codePointAt(0) ?? 0;
    if (code >= 0xd800 && code <= 0xdfff) {
      code = REPLACEMENT;
    }
    if (code < 0x80) {
      bytes.push(code);
    } else if (code < 0x800) {
      bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    } else if (code < 0x10000) {
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    } else {
      bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    }
  }
  return bytes;
}
