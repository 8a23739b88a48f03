import Foundation
import HealthStore

// The parts that the elements of an export have in common.
extension ExportDocument {
  /// Writes the source and device attributes of an object, and counts the fields that they cannot
  /// represent.
  func writeOrigin(_ object: StoredObject) {
    let origin = origin(of: object)
    markup.raw(origin.apple)
    if !origin.isWhole { note(.sourceDetails) }
    if origin.hasReplaced { note(.characters) }
  }

  private func origin(of object: StoredObject) -> OriginText {
    let key = Origin(source: object.source, device: object.device, unit: object.unit)
    if let known = origins[key] { return known }
    let revision = objects.sourceRevision(of: object)
    var apple = MarkupWriter()
    apple.attribute("sourceName", revision.source.name)
    apple.attribute("sourceVersion", revision.version)
    apple.attribute("device", objects.device(of: object).map(Self.description))
    var own = MarkupWriter()
    if object.source != 0 {
      own.attribute("store:source", StoredText.text(objects.name(object.source)))
    }
    if object.device != 0 {
      own.attribute("store:device", StoredText.text(objects.name(object.device)))
    }
    let system = revision.operatingSystemVersion
    let isWhole =
      revision.source.bundleIdentifier == revision.source.name && revision.productType == nil
      && (system.majorVersion, system.minorVersion, system.patchVersion) == (0, 0, 0)
    let result = OriginText(
      apple: apple.bytes, own: own.bytes, isWhole: isWhole, hasReplaced: apple.replaced > 0)
    if origins.count >= 4096 { origins.removeAll() }
    origins[key] = result
    return result
  }

  /// Returns a device description in Apple's format, with the memory address 0x0.
  private static func description(_ device: HKDevice) -> String {
    let fields: [(String, String?)] = [
      ("name", device.name), ("manufacturer", device.manufacturer), ("model", device.model),
      ("hardware", device.hardwareVersion), ("firmware", device.firmwareVersion),
      ("software", device.softwareVersion), ("localIdentifier", device.localIdentifier),
      ("UDI", device.udiDeviceIdentifier),
    ]
    let texts = fields.compactMap { name, value in value.map { "\(name):\($0)" } }
    return "<<HKDevice: 0x0>, \(texts.joined(separator: ", "))>"
  }

  /// Writes an object's dates, and counts a loss of precision.
  func writeDates(_ object: StoredObject) {
    let (start, end) = (DateText(object.start), DateText(object.end))
    markup.attribute("startDate", date: start)
    markup.attribute("endDate", date: end)
    if !start.isExact || !end.isExact { note(.exactDates) }
  }

  /// Ends the start tag of an object's element with the attributes of this library; a plain export
  /// counts the losses instead.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - type: Its type, if Apple's attributes do not contain it.
  ///   - hasDates: Whether Apple's attributes contain its dates, to the second.
  ///   - isNumber: Whether Apple's attributes contain its value and unit.
  ///   - file: The file that holds the object's data for other programs.
  func endStartTag(
    _ object: StoredObject, type: String?, hasDates: Bool = true, isNumber: Bool = false,
    file: String? = nil
  ) {
    if options.isPlain {
      note(.identifier)
      if object.hasSyncIdentifier { note(.replacement) }
      markup.raw(">\n")
      return
    }
    markup.attribute("store:uuid", object.uuid.uuidString)
    markup.attribute("store:type", type.map(StoredText.escaped))
    if !hasDates || !DateText(object.start).isExact {
      markup.attribute("store:start", object.start.description)
    }
    if !hasDates || !DateText(object.end).isExact {
      markup.attribute("store:end", object.end.description)
    }
    if !isNumber {
      markup.attribute("store:value", object.value.description)
      if object.unit != 0 { markup.attribute("store:unit", unit(of: object, isEscaped: true)) }
    }
    markup.raw(origin(of: object).own)
    let rest = writeExtras(object.extras)
    markup.attribute("store:file", file)
    markup.raw(">\n")
    markup.raw(rest)
  }

  /// Returns the unit as the store spells it, or nil if the object has none.
  func unit(of object: StoredObject, isEscaped: Bool = false) -> String? {
    if object.unit == 0 { return nil }
    let text = String(decoding: objects.name(object.unit), as: UTF8.self)
    return isEscaped ? StoredText.escaped(text) : text
  }

  /// Writes the extras that fit into an attribute, and returns the elements with the rest.
  private func writeExtras(_ extras: [UInt8]) -> [UInt8] {
    if extras.isEmpty { return [] }
    let size = StoredText.pieceByteCount
    markup.attribute("store:extras", StoredText.text(extras.prefix(size)))
    var rest = MarkupWriter()
    for begin in stride(from: size, to: extras.count, by: size) {
      rest.raw("  <store:Part")
      rest.attribute(
        "value", StoredText.text(extras[begin..<min(begin + size, extras.count)]))
      rest.raw("/>\n")
    }
    return rest.bytes
  }

  /// Writes the child rows of an object after its element.
  func writeChildren(of object: StoredObject) throws {
    if options.isPlain { return note(.attachments, count: try objects.attachmentCount(of: object)) }
    try objects.forEachChild(of: object) { row in
      markup.raw(" <store:Row")
      markup.attribute("store:uuid", row.uuid.uuidString)
      markup.attribute("store:type", StoredText.escaped(row.type))
      markup.attribute("store:role", row.childType.map(StoredText.escaped))
      markup.attribute("store:start", row.start.description)
      markup.attribute("store:end", row.end.description)
      markup.attribute("store:value", row.value.description)
      let rest = writeExtras(row.extras)
      markup.raw(">\n")
      markup.raw(rest)
      markup.raw(" </store:Row>\n")
      try flushIfFull()
    }
  }

  /// Writes metadata entries, sorted by key.
  func writeMetadata(_ metadata: [String: Any]) {
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
      markup.raw("  <MetadataEntry")
      markup.attribute("key", key)
      markup.attribute("value", Self.text(value))
      markup.raw("/>\n")
    }
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let quantity as HKQuantity: quantity.description
    case let number as NSNumber: number.stringValue
    case let date as Date: DateText(date.timeIntervalSinceReferenceDate).text
    default: "\(value)"
    }
  }

  /// Writes an object that Apple's format has no element for.
  func writeOther(_ object: StoredObject, _ type: String, file: String? = nil) throws {
    if options.isPlain { return note(left: type) }
    markup.raw(" <store:Sample")
    endStartTag(object, type: type, hasDates: false, file: file)
    markup.raw(" </store:Sample>\n")
    note(written: type)
    try writeChildren(of: object)
  }

  func write(_ settings: [StoredSetting]) throws {
    for setting in settings {
      markup.raw(" <store:Setting")
      markup.attribute("type", setting.type.map(StoredText.escaped))
      markup.attribute("name", StoredText.escaped(setting.name))
      markup.attribute("value", StoredText.text(setting.value))
      markup.raw("/>\n")
      try flushIfFull()
    }
  }
}

extension HKQuantity {
  /// The number and the unit, as Apple's exports write them.
  var texts: (number: String, unit: String) {
    let text = description
    let space = text.firstIndex(of: " ") ?? text.endIndex
    return (String(text[..<space]), String(text[space...].dropFirst()))
  }
}
