import Testing

@testable import SampleLog

@Suite struct SetOnceReferenceTests {
  private final class Object: Sendable {
    let value: Int

    init(_ value: Int) { self.value = value }
  }

  @Test func `The reference is nil at first, and then equal for all readers`() {
    let published = SetOnceReference<Object>()
    #expect(published.withObject { $0.value } == nil)
    let object = Object(7)
    published.publish(object)
    #expect(published.withObject { $0 === object } == true)
    #expect(published.withObject { $0 === object } == true)
  }

  @Test func `The reference lives as long as its publisher, and no longer`() {
    weak var object: Object?
    do {
      let published = SetOnceReference<Object>()
      do {
        let new = Object(7)
        object = new
        published.publish(new)
      }
      #expect(object != nil)
      #expect(published.withObject { $0.value } == 7)
    }
    #expect(object == nil)
  }
}
