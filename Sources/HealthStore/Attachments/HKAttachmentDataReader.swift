public import Foundation

/// Reads the content of an attachment.
open class HKAttachmentDataReader: NSObject, @unchecked Sendable {
  /// Whose content is read.
  public let attachment: HKAttachment

  /// How many bytes have been read, of as many as the attachment has.
  ///
  /// Cancelling it ends reading with `errorUserCanceled`.
  public let progress: Progress

  private let healthStore: HKHealthStore

  init(_ attachment: HKAttachment, _ healthStore: HKHealthStore) {
    self.attachment = attachment
    self.healthStore = healthStore
    progress = Progress(totalUnitCount: Int64(attachment.size))
    super.init()
  }

  /// The content, byte by byte.
  ///
  /// Each iteration reads it from the beginning and holds a mebibyte at most.
  open var bytes: HKAttachment.AsyncBytes { HKAttachment.AsyncBytes(reader: self) }

  /// The whole content.
  ///
  /// - Throws: `errorInvalidArgument` when the store does not have the attachment, ``HKError`` when
  ///   it cannot be read, `CancellationError` when the task is cancelled.
  open var data: Data {
    get async throws {
      let source = pieces()
      var data = Data(capacity: attachment.size)
      while let piece = try await source.next() { data.append(contentsOf: piece) }
      return data
    }
  }

  /// The content in pieces of a mebibyte at most.
  func pieces() -> SeriesElements<UInt8> {
    let (attachment, progress) = (attachment, SharedProgress(progress))
    return SeriesElements(healthStore) { reader in
      var content = try AttachmentReader(attachment, reader)
      progress.begin()
      return {
        try progress.check()
        guard let piece = try content.next() else { return nil }
        progress.add(piece.count)
        return piece
      }
    }
  }
}

/// Progress that several threads tell of, one after the other.
final class SharedProgress: @unchecked Sendable {
  private let progress: Progress

  init(_ progress: Progress) { self.progress = progress }

  /// Nothing is done yet.
  func begin() { progress.completedUnitCount = 0 }

  /// So many more bytes are done.
  func add(_ count: Int) { progress.completedUnitCount += Int64(count) }

  /// Throws when somebody cancelled it.
  func check() throws {
    if progress.isCancelled {
      throw HKError.make(.errorUserCanceled, "Reading the attachment was cancelled.")
    }
  }
}
