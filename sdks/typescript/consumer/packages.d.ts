/** Packages of apps that are not installed here. */
declare module "@react-native-async-storage/async-storage" {
  const storage: {
    getItem(key: string): Promise<string | null>;
    setItem(key: string, value: string): Promise<void>;
    removeItem(key: string): Promise<void>;
  };
  export default storage;
}
