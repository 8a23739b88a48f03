import Foundation
import HealthStore

@testable import AppleHealthExport

/// The content of a person's store, in the order of an export.
struct StoreContents: Equatable {
  var samples: [StoredSample] = []
  var children: [StoredSample] = []
  var settings: [StoredSetting] = []

  init(_ store: HKHealthStore) throws {
    let objects = try StoredObjects(store)
    for type in objects.types {
      try objects.forEach(type) { object in
        var sample = StoredSample(
          uuid: object.uuid, type: type, start: object.start, end: object.end, value: object.value)
        sample.unit = String(decoding: objects.name(object.unit), as: UTF8.self)
        sample.source = objects.name(object.source)
        sample.device = objects.name(object.device)
        sample.extras = object.extras
        samples.append(sample)
        try objects.forEachChild(of: object) { children.append($0) }
      }
    }
    settings = try store.storedSettings()
  }

  /// The bit patterns of dates and values, which distinguish -0.0 from 0.
  var bits: [[UInt64]] {
    (samples + children).map { [$0.start.bitPattern, $0.end.bitPattern, $0.value.bitPattern] }
  }
}

/// The files in a folder and their bytes.
func contents(of folder: String) throws -> [String: [UInt8]] {
  var files: [String: [UInt8]] = [:]
  for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
    var isFolder: ObjCBool = false
    let path = folder + "/" + name
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
    else { continue }
    files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }
  return files
}
