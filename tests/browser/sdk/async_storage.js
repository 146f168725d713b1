/** AsyncStorage in a browser. */

const later = async (name, ...given) => localStorage[name](...given);

export default {
  getItem: (key) => later("getItem", key),
  setItem: (key, value) => later("setItem", key, value),
  removeItem: (key) => later("removeItem", key),
};
