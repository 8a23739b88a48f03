import Foundation

/// Validates a keyed archive before Foundation decodes it.
///
/// On Linux, decoding crashes the process for many malformed archives.
///
/// An archive that passes is finite and acyclic: every reference leads to an object, no object
/// refers to itself directly or indirectly, every class supports secure coding, and Foundation's
/// collections, dates and identifiers have the contents that their decoders require.
///
/// Foundation's dictionary decoder reads out of bounds if one of its elements cannot be decoded.
/// The check therefore adds the elements of collections as top-level objects, which are decoded
/// first.
struct ArchiveCheck {
  private typealias Reference = BinaryPropertyList.Reference

  private let objects: [Any]
  /// The objects on the path from the root to the one being checked.
  private var open: Set<Int> = []
  private var checked: Set<Int> = []

  /// An element of a collection: the collection's object number, the key of its list, and the
  /// index.
  private struct Element {
    var collection: Int
    var list: String
    var index: Int
  }

  /// The elements of collections in post-order: each follows the elements that it contains.
  private var elements: [Element] = []

  /// Returns an archive with the same root, and the keys of the objects to decode before it, in
  /// order.
  ///
  /// - Throws: `CocoaError.coderReadCorrupt` if the data is not a valid archive.
  static func checked(_ data: Data) throws -> (archive: Data, keys: [String]) {
    guard let archive = BinaryPropertyList.read(data) as? [String: Any],
      archive["$archiver"] as? String == "NSKeyedArchiver", archive["$version"] is NSNumber,
      let top = archive["$top"] as? [String: Any], let objects = archive["$objects"] as? [Any],
      let root = top[NSKeyedArchiveRootObjectKey] as? Reference,
      objects.first as? String == "$null"
    else { throw CocoaError(.coderReadCorrupt) }
    var check = ArchiveCheck(objects)
    try check.visit(root.number)
    return try check.archive(data)
  }

  /// Adds the elements as top-level objects.
  ///
  /// The class of references is not public, so they are taken from the list that Foundation
  /// decodes.
  private func archive(_ data: Data) throws -> (archive: Data, keys: [String]) {
    let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
    guard var archive = list as? [String: Any], var top = archive["$top"] as? [String: Any],
      let objects = archive["$objects"] as? [Any]
    else { throw CocoaError(.coderReadCorrupt) }
    for (number, element) in elements.enumerated() {
      guard let collection = objects[element.collection] as? [String: Any],
        let references = collection[element.list] as? [Any], element.index < references.count
      else { throw CocoaError(.coderReadCorrupt) }
      top["element \(number)"] = references[element.index]
    }
    archive["$top"] = top
    let format = PropertyListSerialization.PropertyListFormat.binary
    return (
      try PropertyListSerialization.data(fromPropertyList: archive, format: format, options: 0),
      elements.indices.map { "element \($0)" }
    )
  }

  private init(_ objects: [Any]) { self.objects = objects }

  /// The maximum nesting depth of objects.
  private static let depthLimit = 64

  private static func require(_ isGood: Bool) throws {
    if !isGood { throw CocoaError(.coderReadCorrupt) }
  }

  private mutating func visit(_ number: Int) throws {
    try Self.require(objects.indices.contains(number) && !open.contains(number))
    if number == 0 || checked.contains(number) { return }
    try Self.require(open.count < Self.depthLimit)
    guard let object = objects[number] as? [String: Any] else {
      // The object is a string, a number or data.
      return try Self.require(!(objects[number] is [Any]))
    }
    guard let reference = object["$class"] as? Reference,
      objects.indices.contains(reference.number),
      let names = objects[reference.number] as? [String: Any],
      let name = names["$classname"] as? String, names["$classes"] is [String],
      let found = NSClassFromString(name), found is any NSSecureCoding.Type
    else { throw CocoaError(.coderReadCorrupt) }
    try checkContents(object, name)
    open.insert(number)
    for (key, value) in object where key != "$class" {
      if let reference = value as? Reference { try visit(reference.number) }
      for (index, element) in (value as? [Any] ?? []).enumerated() {
        guard let reference = element as? Reference else { continue }
        try visit(reference.number)
        if key.hasPrefix("NS.") {
          elements.append(Element(collection: number, list: key, index: index))
        }
      }
    }
    open.remove(number)
    checked.insert(number)
  }

  private func checkContents(_ object: [String: Any], _ name: String) throws {
    func references(_ key: String) throws -> [Reference] {
      guard let values = object[key] as? [Reference] else { throw CocoaError(.coderReadCorrupt) }
      // An element must not be null.
      try Self.require(!values.contains { $0.number == 0 })
      return values
    }
    switch name {
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet",
      "NSMutableOrderedSet":
      _ = try references("NS.objects")
    case "NSDictionary", "NSMutableDictionary":
      try Self.require(try references("NS.keys").count == references("NS.objects").count)
    case "NSDate": try Self.require((object["NS.time"] as? NSNumber)?.doubleValue.isFinite == true)
    case "NSUUID": try Self.require((object["NS.uuidbytes"] as? Data)?.count == 16)
    case "NSString", "NSMutableString": try Self.require(object["NS.string"] is String)
    case "NSData", "NSMutableData": try Self.require(object["NS.data"] is Data)
    default: break
    }
  }
}
