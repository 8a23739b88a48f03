import Foundation
import HealthKit
import HealthTransfer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Uploads a person's HealthKit store to a server incrementally.
public struct HealthSync: Sendable {
  /// The uploaded types, for which the app requests permission.
  ///
  /// A workout's samples and routes, and the pressures of a blood pressure, have types of their
  /// own.
  public static let types: [HKSampleType] = [
    HKQuantityType(.heartRate), HKQuantityType(.stepCount), HKQuantityType(.bodyMass),
    HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    HKCorrelationType(.bloodPressure), HKCategoryType(.sleepAnalysis),
    HKObjectType.workoutType(), HKSeriesType.workoutRoute(),
  ]

  /// The server's reply was neither an acknowledgement nor a gap or conflict.
  public struct Refusal: Error {
    /// The HTTP status of the reply.
    public let status: Int
    /// The body of the reply.
    public let reason: String
  }

  private let uploader: TransferUploader
  private let request: URLRequest
  private let file: URL

  /// Resumes from the progress in a file, or starts from the beginning if there is none.
  public init(store: HKHealthStore, server: URL, token: String, progress file: URL) throws {
    let kept = FileManager.default.contents(atPath: file.path)
    let progress = try kept.map { try JSONDecoder().decode(TransferProgress.self, from: $0) }
    uploader = TransferUploader(
      store: store, types: Self.types, progress: progress ?? TransferProgress())
    var request = URLRequest(url: server)
    request.httpMethod = "POST"
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    self.request = request
    self.file = file
  }

  /// Uploads all pending changes.
  ///
  /// After an error, calling it again resumes the upload.
  public func run() async throws {
    try await uploader.upload { batch in
      try await post(batch)
    } saving: { progress in
      try JSONEncoder().encode(progress).write(to: file, options: .atomic)
    }
  }

  private func post(_ batch: Data) async throws -> Data {
    var request = request
    request.httpBody = batch
    let (reply, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 || status == 409 else {
      throw Refusal(status: status, reason: String(decoding: reply, as: UTF8.self))
    }
    return reply
  }
}
