/// The Swift version whose language mode this target's files are compiled in.
let languageMode = 6
