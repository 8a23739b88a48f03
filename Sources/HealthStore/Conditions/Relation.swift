/// A relational operator.
enum Relation: String, Hashable, Sendable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
  case greaterOrEqual = ">="
  case greater = ">"

  /// Returns whether the relation holds for two values; always false for unordered values.
  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .lessOrEqual: left <= right
    case .equal: left == right
    case .notEqual: left < right || right < left
    case .greaterOrEqual: left >= right
    case .greater: left > right
    }
  }

  /// The relation with its sides swapped.
  var mirrored: Relation {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .equal, .notEqual: self
    case .greaterOrEqual: .lessOrEqual
    case .greater: .less
    }
  }
}
