import BenchmarkKit
import Foundation
import HealthStore

/// A random condition in two forms: a HealthKit predicate and SQL.
struct RandomCondition {
  let predicate: NSPredicate
  let sql: String

  private init(_ predicate: NSPredicate, _ sql: String) {
    self.predicate = predicate
    self.sql = sql
  }

  /// Makes a tree of at most `depth` levels.
  ///
  /// `rows` has identifiers to query.
  init(_ random: inout Dice, depth: Int, rows: [SampleRow]) {
    if depth > 0, random.below(3) > 0 {
      let parts = (0..<1 + random.below(3)).map { _ in
        RandomCondition(&random, depth: depth - 1, rows: rows)
      }
      let predicates = parts.map(\.predicate)
      switch random.below(3) {
      case 0:
        self.init(
          NSCompoundPredicate(andPredicateWithSubpredicates: predicates),
          "(" + parts.map(\.sql).joined(separator: " AND ") + ")")
      case 1:
        self.init(
          NSCompoundPredicate(orPredicateWithSubpredicates: predicates),
          "(" + parts.map(\.sql).joined(separator: " OR ") + ")")
      default:
        self.init(
          NSCompoundPredicate(notPredicateWithSubpredicate: predicates[0]), "NOT \(parts[0].sql)")
      }
      return
    }
    switch random.below(7) {
    case 0, 1: self = .dates(&random)
    case 2: self = .quantity(&random)
    case 3: self = .metadata(&random)
    case 4: self = .device(&random)
    case 5: self = .source(&random)
    default: self = .identifiers(&random, rows)
    }
  }

  private static func dates(_ random: inout Dice) -> RandomCondition {
    let from = random.below(4) > 0 ? SampleRow.randomDate(&random) : nil
    let to = random.below(4) > 0 ? SampleRow.randomDate(&random) : nil
    let strictStart = random.below(2) == 0
    let strictEnd = random.below(2) == 0
    var options: HKQueryOptions = []
    if strictStart { options.insert(.strictStartDate) }
    if strictEnd { options.insert(.strictEndDate) }
    var parts = ["true"]
    let end = #""end""#
    if let from { parts.append("\(strictStart ? "start" : end) >= \(from)") }
    if let to { parts.append("\(strictEnd ? end : "start") < \(to)") }
    return RandomCondition(
      HKQuery.predicateForSamples(
        withStart: from.map { Date(timeIntervalSinceReferenceDate: $0) },
        end: to.map { Date(timeIntervalSinceReferenceDate: $0) }, options: options),
      "(" + parts.joined(separator: " AND ") + ")")
  }

  private static var relations: [(HKComparisonOperator, String)] {
    [
      (.lessThan, "<"), (.lessThanOrEqualTo, "<="), (.greaterThan, ">"),
      (.greaterThanOrEqualTo, ">="), (.equalTo, "="), (.notEqualTo, "<>"),
    ]
  }

  private static func quantity(_ random: inout Dice) -> RandomCondition {
    let (relation, sign) = relations[random.below(relations.count)]
    let value = SampleRow.randomValue(&random)
    // A sample in another kind of unit never matches, whatever the relation.
    let type = random.below(SampleRow.types.count)
    let quantity = HKQuantity(unit: SampleRow.units[type], doubleValue: value)
    return RandomCondition(
      HKQuery.predicateForQuantitySamples(with: relation, quantity: quantity),
      "(type = \(type) AND value \(sign) \(value))")
  }

  private static func metadata(_ random: inout Dice) -> RandomCondition {
    if random.below(3) == 0 {
      return RandomCondition(
        HKQuery.predicateForObjects(withMetadataKey: SampleRow.key), "(flag IS NOT NULL)")
    }
    let (relation, sign) = relations[random.below(relations.count)]
    let value = random.below(5)
    let missing = relation == .notEqualTo
    return RandomCondition(
      HKQuery.predicateForObjects(
        withMetadataKey: SampleRow.key, operatorType: relation, value: value),
      "coalesce(flag \(sign) \(value), \(missing))")
  }

  private static func device(_ random: inout Dice) -> RandomCondition {
    let numbers = random.subset(of: SampleRow.devices.count)
    return RandomCondition(
      HKQuery.predicateForObjects(from: Set(numbers.map { SampleRow.devices[$0] })),
      "coalesce(device IN (\(list(numbers))), false)")
  }

  private static func source(_ random: inout Dice) -> RandomCondition {
    let numbers = random.subset(of: SampleRow.revisions.count)
    return RandomCondition(
      HKQuery.predicateForObjects(from: Set(numbers.map { SampleRow.revisions[$0] })),
      "source IN (\(list(numbers)))")
  }

  private static func identifiers(_ random: inout Dice, _ rows: [SampleRow]) -> RandomCondition {
    guard !rows.isEmpty else {
      return RandomCondition(HKQuery.predicateForObject(with: UUID()), "false")
    }
    let wanted = (0..<1 + random.below(6)).map { _ in rows[random.below(rows.count)] }
    return RandomCondition(
      HKQuery.predicateForObjects(with: Set(wanted.map(\.uuid))),
      "sequence IN (\(list(wanted.map { Int($0.sequence) })))")
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ",")
  }
}
