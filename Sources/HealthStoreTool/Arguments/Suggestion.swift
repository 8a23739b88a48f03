/// What somebody may have meant who mistyped a word.
enum Suggestion {
  /// A question to put behind a sentence; empty when no word is near.
  static func question(_ text: String, among words: [String]) -> String {
    nearest(text, among: words).map { "; did you mean \($0)?" } ?? ""
  }

  /// The word that takes the fewest changes of a letter, and of a quarter of the letters at most.
  static func nearest(_ text: String, among words: [String]) -> String? {
    let limit = max(1, min(3, text.count / 4))
    return words.map { (distance(text, $0), $0) }.filter { $0.0 <= limit }
      .min { $0.0 < $1.0 }?.1
  }

  /// How many letters must be added, removed, replaced or exchanged with their neighbour.
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
