import Foundation
import SampleLog

// Binary encodings of workout parts, used in rows and in archives.

extension WorkoutConfigurationValues {
  init?(_ reader: inout ByteReader) {
    guard let activity = reader.activityType(),
      let location = reader.varint().flatMap({ Int(exactly: $0) })
        .flatMap(HKWorkoutSessionLocationType.init),
      let swimming = reader.varint().flatMap({ Int(exactly: $0) })
        .flatMap(HKWorkoutSwimmingLocationType.init),
      let lapLength = reader.optional({ $0.quantity() })
    else { return nil }
    activityType = activity
    locationType = location
    swimmingLocationType = swimming
    self.lapLength = lapLength
  }

  func write(to writer: inout ByteWriter) {
    writer.varint(UInt64(activityType.rawValue))
    writer.varint(UInt64(locationType.rawValue))
    writer.varint(UInt64(swimmingLocationType.rawValue))
    writer.optional(lapLength) { $0.quantity($1) }
  }
}

extension HKWorkoutEvent {
  static func read(_ reader: inout ByteReader) -> HKWorkoutEvent? {
    guard let type = reader.varint().flatMap({ Int(exactly: $0) }).flatMap(HKWorkoutEventType.init),
      let start = reader.date(), let end = reader.date(), start <= end,
      let metadata = reader.metadata()
    else { return nil }
    return HKWorkoutEvent(
      type: type, dateInterval: DateInterval(start: start, end: end), checked: metadata)
  }

  func write(to writer: inout ByteWriter) {
    writer.varint(UInt64(type.rawValue))
    writer.date(dateInterval.start)
    writer.date(dateInterval.end)
    writer.metadata(metadata)
  }
}

extension HKWorkoutActivity {
  static func read(_ reader: inout ByteReader) -> HKWorkoutActivity? {
    guard let id = reader.identifier(), let values = WorkoutConfigurationValues(&reader),
      let start = reader.date(), let end = reader.optional({ $0.date() }),
      end.map({ start <= $0 }) ?? true, let metadata = reader.metadata(),
      let statistics = reader.list(WorkoutStatistic.read)
    else { return nil }
    return HKWorkoutActivity(
      uuid: id.uuid, configuration: values, start: start, end: end, checked: metadata,
      statistics: statistics)
  }

  func write(to writer: inout ByteWriter) {
    writer.fixed(Identifier(uuid))
    configuration.write(to: &writer)
    writer.date(startDate)
    writer.optional(endDate) { $0.date($1) }
    writer.metadata(metadata)
    writer.list(statistics) { $1.write(to: &$0) }
  }
}

extension WorkoutStatistic {
  static func read(_ reader: inout ByteReader) -> WorkoutStatistic? {
    var values = StatisticsValues()
    guard let name = reader.text(),
      let type = HKObjectType.make(identifier: name) as? HKQuantityType,
      let unit = reader.text().flatMap(HKUnit.named), type.is(compatibleWith: unit),
      let sum = reader.optional({ $0.finite() }), let average = reader.optional({ $0.finite() }),
      let minimum = reader.optional({ $0.finite() }),
      let maximum = reader.optional({ $0.finite() }),
      let recent = reader.optional({ reader in
        guard let value = reader.finite(), let start = reader.finite(), let end = reader.finite()
        else { return nil as StatisticsValues.MostRecent? }
        return StatisticsValues.MostRecent(value: value, start: start, end: end)
      }), let weight = reader.finite()
    else { return nil }
    values.sum = sum
    values.average = average
    values.minimum = minimum
    values.maximum = maximum
    values.mostRecent = recent
    return WorkoutStatistic(type: type, unit: unit, values: values, weight: weight)
  }

  func write(to writer: inout ByteWriter) {
    writer.text(type.identifier)
    writer.text(unit.unitString)
    for value in [values.sum, values.average, values.minimum, values.maximum] {
      writer.optional(value) { $0.fixed($1) }
    }
    writer.optional(values.mostRecent) { writer, recent in
      writer.fixed(recent.value)
      writer.fixed(recent.start)
      writer.fixed(recent.end)
    }
    writer.fixed(weight)
  }
}

extension ByteReader {
  mutating func activityType() -> HKWorkoutActivityType? {
    varint().flatMap { UInt(exactly: $0) }.flatMap(HKWorkoutActivityType.init)
  }
}

extension NSCoder {
  private static let version: UInt8 = 1

  /// Encodes the bytes that a function writes as the contents of an object.
  func encodeContents(_ write: (inout ByteWriter) -> Void) {
    var writer = ByteWriter()
    writer.byte(Self.version)
    write(&writer)
    encode(Data(writer.bytes) as NSData, forKey: "contents")
  }

  /// Decodes contents written by `encodeContents`, or returns nil if they are corrupt.
  func decodeContents<Value>(_ read: (inout ByteReader) -> Value?) -> Value? {
    guard let data = decodeObject(NSData.self, "contents") else { return nil }
    return [UInt8](Data(referencing: data)).withUnsafeBytes { bytes in
      var reader = ByteReader(bytes)
      guard reader.byte() == Self.version, let value = read(&reader), reader.isAtEnd else {
        return nil
      }
      return value
    }
  }
}
