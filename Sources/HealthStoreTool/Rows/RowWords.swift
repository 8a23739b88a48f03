import HealthStore
import SampleLog

/// What many rows have in common, put into words once.
final class RowWords {
  let reader: RowReader

  private struct Origin: Hashable {
    var source: Symbol
    var device: Symbol
  }

  private var types: [Symbol: String] = [:]
  private var origins: [Origin: JSONObject] = [:]

  init(_ reader: RowReader) { self.reader = reader }

  /// The short name of a row's type.
  func type(of row: RowReference) -> String {
    if let known = types[row.block.type] { return known }
    let name = HKSampleType.shortName(ofIdentifier: reader.typeIdentifier(of: row))
    types[row.block.type] = name
    return name
  }

  /// Who and what recorded a row, as members of an object.
  func origin(of row: RowReference) -> JSONObject {
    let key = Origin(source: row.block.source[row.row], device: row.block.device[row.row])
    if let known = origins[key] { return known }
    var object = JSONObject()
    let revision = reader.sourceRevision(of: row)
    object.add(ifAny: "source", revision.source.name)
    object.add(ifAny: "bundleIdentifier", revision.source.bundleIdentifier)
    object.add(ifAny: "version", revision.version)
    if let device = reader.device(of: row) { object.add("device", Self.object(device)) }
    // Sources come in thousands at the very most, but a bound costs nothing.
    if origins.count >= 4096 { origins.removeAll() }
    origins[key] = object
    return object
  }

  private static func object(_ device: HKDevice) -> JSONObject {
    var object = JSONObject()
    object.add(ifAny: "name", device.name)
    object.add(ifAny: "manufacturer", device.manufacturer)
    object.add(ifAny: "model", device.model)
    object.add(ifAny: "hardwareVersion", device.hardwareVersion)
    object.add(ifAny: "firmwareVersion", device.firmwareVersion)
    object.add(ifAny: "softwareVersion", device.softwareVersion)
    object.add(ifAny: "localIdentifier", device.localIdentifier)
    object.add(ifAny: "udiDeviceIdentifier", device.udiDeviceIdentifier)
    return object
  }
}
