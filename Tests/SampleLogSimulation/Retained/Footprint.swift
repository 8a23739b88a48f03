import SampleLog

/// The number of elements of each collection reachable from a value, by the property that holds it.
///
/// It covers collections that no test names. It does not cover memory behind pointers, the caches
/// of segments, and the files of a file system in memory.
package struct Footprint: Equatable {
  package private(set) var sizes: [String: Int] = [:]
  private var seen: Set<ObjectIdentifier> = []

  package init(of value: Any) { add(value, "") }

  package static func == (one: Footprint, other: Footprint) -> Bool { one.sizes == other.sizes }

  /// Returns the collections that have grown by more than an allowance.
  package func growth(since before: Footprint, allowing allowance: Int) -> [String] {
    sizes.filter { $0.value > before.sizes[$0.key, default: 0] + allowance }
      .map { "\($0.key): \(before.sizes[$0.key, default: 0]) to \($0.value)" }.sorted()
  }

  private mutating func add(_ value: Any, _ place: String) {
    if value is any FileSystem || value is any File || value is String { return }
    // A mirror cannot inspect noncopyable properties, so these objects count as elements only.
    if value is Segment || value is SubjectList { return }
    var mirror: Mirror? = Mirror(reflecting: value)
    if mirror?.displayStyle == .class {
      let object = ObjectIdentifier(value as AnyObject)
      guard seen.insert(object).inserted else { return }
      sizes["objects of \(type(of: value))", default: 0] += 1
    }
    switch mirror?.displayStyle {
    case .collection, .dictionary, .set:
      let children = mirror?.children
      sizes["\(place): \(type(of: value))", default: 0] += children?.count ?? 0
      if let first = children?.first?.value, Self.isNumber(first) { return }
    default: break
    }
    while let current = mirror {
      for child in current.children {
        let isElement = current.displayStyle.map { $0 != .struct && $0 != .class } ?? true
        let label = isElement ? place : "\(type(of: value)).\(child.label ?? "")"
        add(child.value, label)
      }
      mirror = current.superclassMirror
    }
  }

  private static func isNumber(_ value: Any) -> Bool {
    value is any FixedWidthInteger || value is any BinaryFloatingPoint
  }
}
