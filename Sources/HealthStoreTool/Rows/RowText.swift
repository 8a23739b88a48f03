import Foundation
import HealthStore
import SampleLog

/// One sample as a line of a table.
struct RowText {
  private let row: Row
  private let words: RowWords
  private var reader: RowReader { words.reader }

  init(_ row: Row, _ words: RowWords) {
    self.row = row
    self.words = words
  }

  private var block: Block { row.block }
  private var start: Double { block.start[row.row] }
  private var end: Double { block.end[row.row] }
  private var value: Double { block.value[row.row] }

  /// The name of the category value, such as `HKCategoryValueSleepAnalysisAsleepCore`.
  private var valueName: String? {
    guard let type = reader.type(of: row) as? HKCategoryType, let whole = Int(exactly: value) else {
      return nil
    }
    return CategoryValueNames.name(of: whole, for: type)
  }

  static let tableTitle =
    "START (UTC)".padded(to: 19) + "  " + "END (UTC)".padded(to: 19) + "  "
    + "VALUE".paddedLeft(to: 10) + " " + "UNIT".padded(to: 10) + "  SOURCE"

  /// Returns a line with columns of fixed width, because a streamed table cannot look ahead.
  func tableLine() throws -> String {
    if reader.type(of: row) is HKWorkoutType,
      let workout = try words.sample(of: row) as? HKWorkout
    {
      let figures = WorkoutFigures(workout)
      return line(workout.workoutActivityType.shortName.padded(to: 21)) + "  \(figures.text)"
    }
    let name = valueName.map { name in
      let family = "HKCategoryValue"
      return String(name.dropFirst(name.hasPrefix(family) ? family.count : 0))
    }
    let number = name == nil ? Figures.short(value).paddedLeft(to: 10) : ""
    let unit = reader.unit(of: row).printable.padded(to: 10)
    return line(name.map { $0.padded(to: 21) } ?? "\(number) \(unit)")
  }

  /// Returns a line with the columns before and after the value.
  private func line(_ value: String) -> String {
    "\(UTCText.short(start))  \(UTCText.short(end))  \(value)  "
      + reader.sourceRevision(of: row).source.name.printable
  }
}
