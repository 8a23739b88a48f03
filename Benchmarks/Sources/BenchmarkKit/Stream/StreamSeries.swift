/// One subject's samples of one type.
package struct StreamSeries: Sendable {
  package var subject: UInt16
  package var type: StreamType

  package init(subject: UInt16, type: StreamType) {
    self.subject = subject
    self.type = type
  }
}
