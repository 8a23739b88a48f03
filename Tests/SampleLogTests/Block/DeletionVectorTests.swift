import Testing

@testable import SampleLog

/// The set of deleted sequence numbers, compared with a `Set`.
@Suite struct DeletionVectorTests {
  /// Numbers around the boundaries of words and chunks, and distant ones.
  private static let places: [UInt64] = [
    1, 62, 63, 64, 65, 127, 128, 4095, 65_534, 65_535, 65_536, 65_537, 70_000, 131_071, 131_072,
    1 << 20, 1 << 32, (1 << 32) + 1, (1 << 32) + 65_535, (1 << 32) + 65_536, 1 << 50,
    (1 << 50) + 70_000,
    1 << 60,
  ]

  private func compare(_ set: DeletionVector, _ expected: Set<UInt64>) {
    #expect(set.count == expected.count)
    #expect(set.isEmpty == expected.isEmpty)
    var cursor = DeletionVector.Cursor(set)
    for place in Self.places {
      for number in [place &- 1, place, place + 1] where number > 0 {
        #expect(set.contains(number) == expected.contains(number), "\(number)")
        #expect(cursor.contains(number) == expected.contains(number), "\(number)")
      }
    }
  }

  private func compareRanges(_ set: DeletionVector, _ expected: Set<UInt64>) {
    for first in Self.places {
      for last in Self.places + [first - 1] {
        let inside = expected.count { first <= $0 && $0 <= last }
        #expect(set.count(first, last) == inside, "\(first) to \(last)")
        // Counts are exact to a chunk of 65,536 numbers.
        let pieces = expected.contains { first >> 16 <= $0 >> 16 && $0 >> 16 <= last >> 16 }
        #expect(set.mayIntersect(first, last) == (pieces && first <= last), "\(first) to \(last)")
      }
    }
  }

  @Test func `A vector contains inserted numbers and no removed ones`() {
    var set = DeletionVector()
    var expected: Set<UInt64> = []
    compare(set, expected)
    compareRanges(set, expected)
    for (step, place) in Self.places.enumerated() {
      set.insert([place])
      expected.insert(place)
      compare(set, expected)
      if step % 4 == 3 { compareRanges(set, expected) }
    }
    for (step, place) in Self.places.reversed().enumerated() {
      // An absent number, a present one, and the same again.
      set.remove([place + 7, place, place])
      set.remove([place])
      expected.remove(place)
      compare(set, expected)
      if step % 4 == 3 { compareRanges(set, expected) }
    }
  }

  @Test func `Numbers on both sides of a change of representation are counted`() {
    let border: UInt64 = 1 << 32
    for numbers in [
      [border - 1], [border], [border - 1, border], [border - 70_000, border],
      [1, border - 1, border],
    ] {
      var set = DeletionVector()
      for number in numbers { set.insert([number]) }
      for (first, last) in [(1, border - 1), (border, border + 9), (border - 1, border)] {
        let inside = numbers.count { first <= $0 && $0 <= last }
        #expect(set.count(first, last) == inside)
        if inside > 0 { #expect(set.mayIntersect(first, last)) }
      }
      for number in [border - 70_000, border - 1, border] {
        #expect(set.contains(number) == numbers.contains(number))
      }
    }
  }

  @Test func `Many numbers of a chunk, at once and one by one, behave like few`() {
    for count in [31, 32, 33, 64, 200] as [UInt64] {
      for isAtOnce in [false, true] {
        var set = DeletionVector()
        var expected: Set<UInt64> = []
        // Every third number, across a chunk boundary, each twice.
        let numbers = (0..<count).map { 65_536 - count + $0 * 3 }
        if isAtOnce {
          set.insert(numbers + numbers)
        } else {
          for number in numbers + numbers { set.insert([number]) }
        }
        expected.formUnion(numbers)
        compare(set, expected)
        for first in 65_536 - count..<65_536 + count * 2 {
          #expect(set.contains(first) == expected.contains(first))
          for length in [0, 1, 63, 64, 100] as [UInt64] {
            let inside = expected.count { first <= $0 && $0 <= first + length }
            #expect(set.count(first, first + length) == inside)
          }
        }
        set.remove(Array(numbers.dropFirst(2)))
        compare(set, Set(numbers.prefix(2)))
        set.insert([numbers[5]])
        compare(set, Set(numbers.prefix(2) + [numbers[5]]))
      }
    }
  }

  @Test func `A copy is independent of its original`() {
    var set = DeletionVector()
    set.insert([5, 70_000])
    let copy = set
    set.insert(Array(6..<100))
    set.remove([70_000])
    compare(copy, [5, 70_000])
  }

  @Test(arguments: [100, 5000], [7_000, 700_000])
  func `Numbers of many chunks in any order are inserted once each`(
    count: UInt64, distance: UInt64
  ) {
    // Every number occurs twice, and neighbours are in different chunks.
    let end = count * distance
    let numbers = (0..<2 * count).map { $0 % count * 70_001 % end + 1 }
    var set = DeletionVector()
    set.insert([numbers[3]])
    set.insert(numbers)
    #expect(set.count == Set(numbers).count)
    #expect(numbers.allSatisfy(set.contains))
    #expect(!set.contains(0) && !set.contains(end + 1))
    set.insert(numbers)
    #expect(set.count == Set(numbers).count)
  }
}
