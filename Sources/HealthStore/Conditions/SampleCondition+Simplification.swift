// Simplifies conditions.
extension SampleCondition {
  /// An equivalent condition in simplified form.
  ///
  /// Nested conjunctions and disjunctions are flattened, constants are folded, double negations are
  /// removed, empty sets become `never`, and every `all` or `any` has at least two distinct parts.
  /// Idempotent.
  var simplified: SampleCondition {
    switch self {
    case .always, .startDate, .endDate: return self
    case .all(let parts) where Self.areDistinctDates(parts): return self
    case .uuid(let values) where values.isEmpty: return .never
    case .source(let values) where values.isEmpty: return .never
    case .sourceRevision(let values) where values.isEmpty: return .never
    case .device(let values) where values.isEmpty: return .never
    case .metadata(_, let test) where test.operation == .oneOf && test.operands.isEmpty:
      return .never
    case .text(_, let test) where test.operation == .oneOf && test.operands.isEmpty:
      return .never
    case .record(_, let test) where test.operation == .oneOf && test.operands.isEmpty:
      return .never
    case .workoutProperty(_, let test) where test.operation == .oneOf && test.operands.isEmpty:
      return .never
    case .workoutActivity(let condition):
      let inner = condition.simplified
      return inner == .never ? .never : .workoutActivity(inner)
    case .not(let condition):
      switch condition.simplified {
      case .always: return .never
      case .never: return .always
      case .not(let inner): return inner
      case let inner: return .not(inner)
      }
    case .all(let parts):
      let flat = Self.flatten(parts, dropping: .always) {
        if case .all(let nested) = $0 { return nested }
        return nil
      }
      if flat.contains(.never) { return .never }
      return flat.count > 1 ? .all(flat) : flat.first ?? .always
    case .any(let parts):
      let flat = Self.flatten(parts, dropping: .never) {
        if case .any(let nested) = $0 { return nested }
        return nil
      }
      if flat.contains(.always) { return .always }
      return flat.count > 1 ? .any(flat) : flat.first ?? .never
    default: return self
    }
  }

  /// Returns whether the parts are one start and one end date, as for a date range.
  ///
  /// Such a condition is the most frequent and needs no simplification.
  private static func areDistinctDates(_ parts: [SampleCondition]) -> Bool {
    guard parts.count == 2 else { return false }
    return switch (parts[0], parts[1]) {
    case (.startDate, .endDate), (.endDate, .startDate): true
    default: false
    }
  }

  /// Returns the simplified parts in order, with nested ones flattened, and neutral ones and
  /// duplicates removed.
  private static func flatten(
    _ parts: [SampleCondition],
    dropping neutral: SampleCondition,
    nested: (SampleCondition) -> [SampleCondition]?
  ) -> [SampleCondition] {
    var flat: [SampleCondition] = []
    var seen: Set<SampleCondition> = [neutral]
    for part in parts {
      let part = part.simplified
      // The parts of a simplified part are simplified and of another kind.
      for piece in nested(part) ?? [part] where seen.insert(piece).inserted {
        flat.append(piece)
      }
    }
    return flat
  }
}
