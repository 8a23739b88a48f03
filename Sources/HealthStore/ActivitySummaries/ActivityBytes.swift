import SampleLog

// The encoding of activity settings. Quantities are numbered by field, so the order of the fields
// is part of the format.

extension ByteWriter {
  mutating func summary(_ values: ActivitySummaryValues) {
    byte(UInt8(values.moveMode.rawValue))
    byte(values.isPaused ? 1 : 0)
    quantities(ActivitySummaryValues.Field.allCases.map { values[$0] })
  }

  mutating func goals(_ goals: ActivityGoals) {
    byte(UInt8(goals.moveMode?.rawValue ?? 0))
    byte(goals.isPaused ? 1 : 0)
    quantities(ActivityGoals.fields.map { goals[keyPath: $0.path] })
  }

  private mutating func quantities(_ quantities: [HKQuantity?]) {
    byte(UInt8(quantities.count { $0 != nil }))
    for (number, quantity) in quantities.enumerated() {
      guard let quantity else { continue }
      byte(UInt8(number))
      string(Array(quantity.unit.unitString.utf8))
      fixed(quantity.value)
    }
  }
}

extension ByteReader {
  /// Decodes the summary of a day, or returns nil if the bytes are malformed.
  mutating func summary(of day: CalendarDay) -> ActivitySummaryValues? {
    let fields = ActivitySummaryValues.Field.allCases
    guard let mode = byte(), let moveMode = HKActivityMoveMode(rawValue: Int(mode)),
      let isPaused = byte(), let quantities = quantities(of: fields)
    else { return nil }
    var values = ActivitySummaryValues(day: day)
    values.moveMode = moveMode
    values.isPaused = isPaused == 1
    for (field, quantity) in quantities { values[field] = quantity }
    return values
  }

  mutating func goals() -> ActivityGoals? {
    guard let mode = byte(), let isPaused = byte(),
      let quantities = quantities(of: ActivityGoals.fields.map(\.name))
    else { return nil }
    var goals = ActivityGoals()
    goals.moveMode = HKActivityMoveMode(rawValue: Int(mode))
    if mode != 0, goals.moveMode == nil { return nil }
    goals.isPaused = isPaused == 1
    for (name, path) in ActivityGoals.fields { goals[keyPath: path] = quantities[name] }
    return goals
  }

  private mutating func quantities(
    of fields: [ActivitySummaryValues.Field]
  ) -> [ActivitySummaryValues.Field: HKQuantity]? {
    guard let count = byte() else { return nil }
    var found: [ActivitySummaryValues.Field: HKQuantity] = [:]
    for _ in 0..<count {
      guard let number = byte(), Int(number) < fields.count, let name = string(),
        let unit = HKUnit.named(String(decoding: name, as: UTF8.self)), let value = double(),
        value.isFinite
      else { return nil }
      let quantity = HKQuantity(unit: unit, doubleValue: value)
      guard quantity.is(compatibleWith: fields[Int(number)].unit) else { return nil }
      found[fields[Int(number)]] = quantity
    }
    return found
  }
}
