import Foundation

/// Looks through a keyed archive before Foundation decodes it, which on Linux ends the process for
/// many that are damaged.
///
/// What passes is an archive of finite size: every reference leads to an object, none leads back to
/// where it came from, every class is one that can be decoded securely, and Foundation's
/// collections, dates and identifiers have the contents that their decoders count on.
struct ArchiveCheck {
  private typealias Reference = BinaryPropertyList.Reference

  private let objects: [Any]
  /// The objects between the root and the one that is looked at.
  private var open: Set<Int> = []
  private var checked: Set<Int> = []

  /// Throws `CocoaError.coderReadCorrupt` for what is no such archive.
  static func check(_ data: Data) throws {
    guard let archive = BinaryPropertyList.read(data) as? [String: Any],
      archive["$archiver"] as? String == "NSKeyedArchiver", archive["$version"] is NSNumber,
      let top = archive["$top"] as? [String: Any], let objects = archive["$objects"] as? [Any],
      let root = top[NSKeyedArchiveRootObjectKey] as? Reference,
      objects.first as? String == "$null"
    else { throw CocoaError(.coderReadCorrupt) }
    var check = ArchiveCheck(objects)
    try check.visit(root.number)
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
      for element in value as? [Any] ?? [] {
        if let reference = element as? Reference { try visit(reference.number) }
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
