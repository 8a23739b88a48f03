import Foundation

/// Looks through a keyed archive before Foundation decodes it, which on Linux ends the process for
/// many that are damaged.
///
/// An archive that passes has a finite size: every reference leads to an object, none leads back to
/// where it came from, every class is one that can be decoded securely, and Foundation's
/// collections, dates and identifiers have the contents that their decoders count on.
///
/// Foundation's dictionary also reads beyond its elements if one of them cannot be decoded. So the
/// elements of collections become objects of the archive's own, which are decoded first.
struct ArchiveCheck {
  private typealias Reference = BinaryPropertyList.Reference

  private let objects: [Any]
  /// The objects between the root and the one that is looked at.
  private var open: Set<Int> = []
  private var checked: Set<Int> = []

  /// An element of a collection: the collection's number, the name of the list and the place there.
  private struct Element {
    var collection: Int
    var list: String
    var index: Int
  }

  /// The elements of collections, each after those that it contains.
  private var elements: [Element] = []

  /// Returns an archive with the same root, and the keys of other objects to decode before it, in
  /// their order.
  ///
  /// - Throws: `CocoaError.coderReadCorrupt` for what is no such archive.
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

  /// References are of a class that is not public, so they are taken from what Foundation reads.
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

  /// The deepest nesting of objects.
  private static let depthLimit = 64

  private static func require(_ isGood: Bool) throws {
    if !isGood { throw CocoaError(.coderReadCorrupt) }
  }

  private mutating func visit(_ number: Int) throws {
    try Self.require(objects.indices.contains(number) && !open.contains(number))
    if number == 0 || checked.contains(number) { return }
    try Self.require(open.count < Self.depthLimit)
    guard let object = objects[number] as? [String: Any] else {
      // A string, a number or bytes.
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
      // Nothing takes the place of an element.
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
