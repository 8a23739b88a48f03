/// One subject's samples of one type.
package struct StreamSeries: Sendable {
  package var subject: UInt32
  package var type: StreamType

  package init(subject: UInt32, type: StreamType) {
    self.subject = subject
    self.type = type
  }
}
