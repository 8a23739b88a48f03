/// Suggests a known word in place of a mistyped one.
enum Suggestion {
  /// Returns a question to append to a sentence, or an empty string if no word is similar.
  static func question(_ text: String, among words: [String]) -> String {
    nearest(text, among: words).map { "; did you mean \($0)?" } ?? ""
  }

  /// Returns the word with the smallest edit distance, or nil if none is similar.
  ///
  /// The distance may be a quarter of the text's length, but at least 1 and at most 3.
  static func nearest(_ text: String, among words: [String]) -> String? {
    let limit = max(1, min(3, text.count / 4))
    return words.map { (distance(text, $0), $0) }.filter { $0.0 <= limit }
      .min { $0.0 < $1.0 }?.1
  }

  /// Returns the edit distance in bytes, ignoring case; a transposition of neighbours counts as 1.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.lowercased().utf8), Array(right.lowercased().utf8))
    var before: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var next = [row + 1]
      for column in right.indices {
        let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
        var best = min(replaced, last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, before[column - 1] + 1)
        }
        next.append(best)
      }
      (before, last) = (last, next)
    }
    return last[right.count]
  }
}
