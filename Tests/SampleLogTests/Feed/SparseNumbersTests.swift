import Testing

@testable import SampleLog

/// A sparse mapping from items to numbers.
@Suite struct SparseNumbersTests {
  @Test(arguments: [1, 4096, 10_000])
  func `An item has the number that it was assigned last, and the others have none`(count: Int) {
    var numbers = SparseNumbers(count: count)
    let items = [0, count / 2, count - 1]
    for (number, item) in items.enumerated() {
      numbers[item] = 7
      numbers[item] = number
    }
    for item in 0..<count {
      #expect(numbers[item] == items.lastIndex(of: item))
    }
    numbers[0] = nil
    #expect(numbers[0] == nil)
    numbers.removeAll()
    #expect(items.allSatisfy { numbers[$0] == nil })
  }
}
