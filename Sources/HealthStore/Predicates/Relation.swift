/// How a field's value stands to a constant.
enum Relation: String, Hashable, Sendable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
  case greaterOrEqual = ">="
  case greater = ">"

  /// Whether `left` stands to `right` like this; never true for values without an order.
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

  /// The relation with its sides exchanged.
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
