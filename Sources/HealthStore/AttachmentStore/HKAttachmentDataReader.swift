public import Foundation

/// Reads the content of an attachment.
open class HKAttachmentDataReader: NSObject, @unchecked Sendable {
  /// The attachment whose content is read.
  public let attachment: HKAttachment

  /// The progress of reading, in bytes of the attachment's size.
  ///
  /// Cancelling it stops reading with `errorUserCanceled`.
  public let progress: Progress

  private let healthStore: HKHealthStore

  init(_ attachment: HKAttachment, _ healthStore: HKHealthStore) {
    self.attachment = attachment
    self.healthStore = healthStore
    progress = Progress(totalUnitCount: Int64(attachment.size))
    super.init()
  }

  /// The content as a sequence of bytes.
  ///
  /// Each iteration reads from the beginning and buffers at most one mebibyte.
  open var bytes: HKAttachment.AsyncBytes { HKAttachment.AsyncBytes(reader: self) }

  /// The whole content.
  ///
  /// - Throws: `errorInvalidArgument` if the store does not have the attachment, ``HKError`` if it
  ///   cannot be read, or `CancellationError` if the task is cancelled.
  open var data: Data {
    get async throws {
      let source = pieces()
      var data = Data(capacity: attachment.size)
      while let piece = try await source.next() { data.append(contentsOf: piece) }
      return data
    }
  }

  /// Returns the content in chunks of at most one mebibyte.
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

/// A progress object that several threads update, one at a time.
final class SharedProgress: @unchecked Sendable {
  private let progress: Progress

  init(_ progress: Progress) { self.progress = progress }

  /// Resets the progress to zero.
  func begin() { progress.completedUnitCount = 0 }

  /// Adds a number of bytes to the progress.
  func add(_ count: Int) { progress.completedUnitCount += Int64(count) }

  /// Throws if the progress was cancelled.
  func check() throws {
    if progress.isCancelled {
      throw HKError.make(.errorUserCanceled, "Reading the attachment was cancelled.")
    }
  }
}
