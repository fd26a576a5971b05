// Instead of Node's modules of files and streams in what reads files in browsers: a page has the bytes, and nothing
// asks for a path. What is imported from here is undefined.
export {};
