import Foundation
import NetworkExtension

autoreleasepool { NEProvider.startSystemExtensionMode() }
dispatchMain()
