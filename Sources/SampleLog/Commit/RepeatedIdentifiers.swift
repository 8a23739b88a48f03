/// Finds an identifier that occurs twice in a batch.
///
/// Clients choose identifiers, so the hash is the store's own: with a known one they could make a
/// batch whose identifiers all meet in one place, which takes quadratic time.
package struct RepeatedIdentifiers {
  /// The place of the first identifier that occurred before; nil when there is none.
  package private(set) var first: Int?
  /// How many places of the table were looked at.
  package private(set) var probes = 0

  package init(_ ids: UnsafeBufferPointer<Identifier>, _ hash: KeyHash) {
    guard ids.count > 1 else { return }
    var bits = 4
    while 1 << bits < ids.count * 2 { bits += 1 }
    var table = [UInt32](repeating: 0, count: 1 << bits)
    let mask = table.count - 1
    var steps = 0
    first = table.withUnsafeMutableBufferPointer { table in
      for (index, id) in ids.enumerated() {
        var place = Int(truncatingIfNeeded: hash(id) >> 20) & mask
        steps += 1
        while table[place] != 0 {
          if ids[Int(table[place]) - 1] == id { return index }
          place = (place + 1) & mask
          steps += 1
        }
        table[place] = UInt32(index + 1)
      }
      return nil
    }
    probes = steps
  }
}
