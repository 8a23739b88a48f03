import Foundation
import HealthKit
import HealthTransfer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Keeps a server up to date with what a person's HealthKit store has.
public struct HealthSync: Sendable {
  /// What is sent, and what the app asks permission to read; a workout's samples and routes, and
  /// the pressures of a blood pressure, are types of their own.
  public static let types: [HKSampleType] = [
    HKQuantityType(.heartRate), HKQuantityType(.stepCount), HKQuantityType(.bodyMass),
    HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
    HKCorrelationType(.bloodPressure), HKCategoryType(.sleepAnalysis),
    HKObjectType.workoutType(), HKSeriesType.workoutRoute(),
  ]

  /// The server's answer was neither an acknowledgement nor a gap or conflict.
  public struct Refusal: Error {
    /// The status of the answer.
    public let status: Int
    /// What the server said.
    public let reason: String
  }

  private let uploader: TransferUploader
  private let request: URLRequest
  private let file: URL

  /// Goes on where the progress in a file says, or begins where there is none.
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

  /// Sends what the server does not have; called again after an error, it goes on.
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
