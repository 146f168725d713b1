declare module "*.css?inline" {
  const styles: string;
  export default styles;
}
declare module "*.svg?raw" {
  const drawing: string;
  export default drawing;
}
