/// Damage at rest (bit rot).
package enum Rot: Hashable, Sendable, CustomStringConvertible {
  case flip(file: Int, bit: Int)
  case zero(file: Int, sector: Int)
  /// A misdirected write: the sector has the bytes of another sector of the file.
  case copy(file: Int, sector: Int, from: Int)
  case swap(file: Int, sector: Int, with: Int)
  case cut(file: Int, length: Int)

  package static let sectorSize = 512

  /// The damage in the form that ``init(_:)`` parses.
  package var description: String {
    switch self {
    case .flip(let file, let bit): "flip/\(file)/\(bit)"
    case .zero(let file, let sector): "zero/\(file)/\(sector)"
    case .copy(let file, let sector, let from): "copy/\(file)/\(sector)/\(from)"
    case .swap(let file, let sector, let other): "swap/\(file)/\(sector)/\(other)"
    case .cut(let file, let length): "cut/\(file)/\(length)"
    }
  }

  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/")
    let numbers = parts.dropFirst().compactMap { Int($0) }
    guard numbers.count == parts.count - 1, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
    switch (parts.first, numbers.count) {
    case ("flip", 2): self = .flip(file: numbers[0], bit: numbers[1])
    case ("zero", 2): self = .zero(file: numbers[0], sector: numbers[1])
    case ("copy", 3): self = .copy(file: numbers[0], sector: numbers[1], from: numbers[2])
    case ("swap", 3): self = .swap(file: numbers[0], sector: numbers[1], with: numbers[2])
    case ("cut", 2): self = .cut(file: numbers[0], length: numbers[1])
    default: return nil
    }
  }

  package var file: Int {
    switch self {
    case .flip(let file, _), .zero(let file, _), .copy(let file, _, _), .swap(let file, _, _),
      .cut(let file, _):
      file
    }
  }

  /// Returns whether a store has the damaged position.
  package func fits(_ store: RotStore) -> Bool {
    guard store.image.entries.indices.contains(file) else { return false }
    let count = store.image.entries[file].bytes.count
    let sectors = (count + Self.sectorSize - 1) / Self.sectorSize
    return switch self {
    case .flip(_, let bit): bit < count * 8
    case .zero(_, let sector): sector < sectors
    case .copy(_, let sector, let other), .swap(_, let sector, let other):
      sector < sectors && other < sectors
    case .cut(_, let length): length < count
    }
  }

  /// Applies the damage.
  func apply(to bytes: inout [UInt8]) {
    func range(_ sector: Int) -> Range<Int> {
      sector * Self.sectorSize..<min((sector + 1) * Self.sectorSize, bytes.count)
    }
    switch self {
    case .flip(_, let bit): bytes[bit >> 3] ^= 1 << UInt8(bit & 7)
    case .zero(_, let sector): for position in range(sector) { bytes[position] = 0 }
    case .copy(_, let sector, let from):
      for (position, source) in zip(range(sector), range(from)) { bytes[position] = bytes[source] }
    case .swap(_, let sector, let other):
      for (position, source) in zip(range(sector), range(other)) { bytes.swapAt(position, source) }
    case .cut(_, let length): bytes.resize(to: length)
    }
  }

  /// Returns the range from the first to the last differing byte, or nil if there is none.
  func damaged(_ old: [UInt8], _ new: [UInt8]) -> Range<Int>? {
    if case .flip(_, let bit) = self { return bit >> 3..<bit >> 3 + 1 }
    if new.count < old.count { return new.count..<old.count }
    guard let first = old.indices.first(where: { old[$0] != new[$0] }),
      let last = old.indices.last(where: { old[$0] != new[$0] })
    else { return nil }
    return first..<last + 1
  }

  /// Returns a flip of every bit of a store's file.
  package static func flips(_ store: RotStore, file: Int) -> [Rot] {
    (0..<store.image.entries[file].bytes.count * 8).map { .flip(file: file, bit: $0) }
  }

  /// Returns all other kinds of damage: each sector zeroed, overwritten by and swapped with others
  /// (in small files, all others), and truncations.
  package static func others(_ store: RotStore, file: Int) -> [Rot] {
    let count = store.image.entries[file].bytes.count
    let sectors = count / sectorSize
    var result = (0..<(count + sectorSize - 1) / sectorSize).map {
      Rot.zero(file: file, sector: $0)
    }
    for sector in 0..<sectors {
      let near = [sector - 1, sector + 1, (sector * 7 + 3) % sectors]
      for other in sectors <= 8 ? Array(0..<sectors) : near
      where other != sector && other >= 0 && other < sectors {
        result.append(.copy(file: file, sector: sector, from: other))
        if other > sector { result.append(.swap(file: file, sector: sector, with: other)) }
      }
    }
    for length in stride(from: 0, to: count, by: 40) {
      result.append(.cut(file: file, length: length))
    }
    return result
  }
}
