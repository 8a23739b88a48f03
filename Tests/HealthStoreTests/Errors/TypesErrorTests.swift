import Foundation
import HealthStore
import Testing

@Suite struct TypesErrorTests {
  func fail(_ code: HKError.Code) throws {
    throw HKError.make(code, "It failed.")
  }

  @Test func `an error is caught by its code`() {
    do {
      try fail(.errorNoData)
      Issue.record("nothing was thrown")
    } catch HKError.errorAuthorizationDenied {
      Issue.record("the wrong code matched")
    } catch HKError.errorNoData {
    } catch {
      Issue.record("no code matched")
    }
  }

  @Test func `an error is caught by its type and inspected`() {
    do {
      try fail(.errorInvalidArgument)
    } catch let error as HKError where error.code == .errorInvalidArgument {
      #expect(error.localizedDescription == "It failed.")
    } catch {
      Issue.record("the error was of another type")
    }
  }

  @Test func `an error bridges to NSError with Apple's domain and number`() {
    let error: any Error = HKError(.errorDatabaseInaccessible)
    #expect((error as NSError).code == 6)
    #expect((error as NSError).domain == "com.apple.healthkit")
    #expect(HKError.errorDomain == HKErrorDomain)
    let optional = error as NSError?
    #expect(optional?.code == 6)
  }

  @Test func `an error is made from an NSError of its domain`() {
    let error = HKError(_nsError: NSError(domain: HKErrorDomain, code: 11))
    #expect(error.code == .errorNoData)
    #expect(error == HKError(.errorNoData))
  }

  @Test func `codes have Apple's numbers`() {
    let codes = (0...15).compactMap { HKError.Code(rawValue: $0) }
    #expect(codes.count == 16)
    #expect(HKError.Code(rawValue: 16) == nil)
    #expect(HKError.errorNoData.rawValue == 11)
    #expect(HKError.noError == .unknownError)
    #expect(HKError.errorNotPermissibleForGuestUserMode.rawValue == 15)
  }

  @Test func `an error keeps its underlying error`() {
    let cause = NSError(domain: NSPOSIXErrorDomain, code: 5)
    let error = HKError.make(.errorDatabaseInaccessible, "The disk failed.", underlying: cause)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? any Error).map { ($0 as NSError).code } == 5)
  }
}
