import Foundation

// Keyed archiving of activity summaries.
extension ActivitySummaryValues {
  private static let version = 1

  func encode(with coder: NSCoder) {
    coder.encode(Self.version, forKey: "version")
    if let day { coder.encode(day.number, forKey: "day") }
    coder.encode(moveMode.rawValue, forKey: "activityMoveMode")
    coder.encode(isPaused, forKey: "isPaused")
    for field in Field.allCases {
      if let quantity = self[field] { coder.encode(quantity, forKey: field.rawValue) }
    }
  }

  init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "version"),
      coder.decodeInteger(forKey: "version") == Self.version,
      let mode = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "activityMoveMode"))
    else { return nil }
    let day =
      coder.containsValue(forKey: "day")
      ? CalendarDay(number: coder.decodeInteger(forKey: "day")) : nil
    self.init(day: day)
    moveMode = mode
    isPaused = coder.decodeBool(forKey: "isPaused")
    for field in Field.allCases {
      guard let quantity = coder.decodeObject(HKQuantity.self, field.rawValue) else { continue }
      guard quantity.is(compatibleWith: field.unit) else { return nil }
      self[field] = quantity
    }
  }
}
