// For whoever has Gradle and a network: buildPlugin, verifyPlugin, runIde. README.md tells of the other build.
import org.jetbrains.intellij.platform.gradle.IntelliJPlatformType
import org.jetbrains.intellij.platform.gradle.tasks.PrepareSandboxTask
import org.jetbrains.intellij.platform.gradle.tasks.VerifyPluginTask.FailureLevel
import org.jetbrains.kotlin.gradle.dsl.JvmTarget
import org.jetbrains.kotlin.gradle.dsl.KotlinVersion

plugins {
    id("org.jetbrains.kotlin.jvm") version "2.4.20"
    id("org.jetbrains.intellij.platform") version "2.16.0"
}

// `build` holds the sources of the other build.
layout.buildDirectory = layout.projectDirectory.dir("out/gradle")

val repository = layout.projectDirectory.dir("..")
val bytecode = providers.gradleProperty("gradpeek.bytecode")
val language = providers.gradleProperty("gradpeek.kotlin").map { KotlinVersion.fromVersion(it) }

/** The first group of the pattern in a file. */
fun stated(file: RegularFile, pattern: String) =
    providers.fileContents(file).asText.map { text -> Regex(pattern).find(text)!!.groupValues[1] }

version = stated(repository.file("backend/gradpeek/__init__.py"), "__version__ = \"(.+)\"").get()

repositories {
    mavenCentral()
    intellijPlatform { defaultRepositories() }
}

dependencies {
    implementation("com.google.code.gson:gson:2.10")
    intellijPlatform {
        // The oldest IDE that is supported: what it has, all later ones should have.
        pycharm("2025.1.3")
        bundledPlugin("PythonCore")
    }
}

kotlin {
    jvmToolchain(21)
    compilerOptions {
        jvmTarget = bytecode.map { JvmTarget.fromTarget(it) }
        languageVersion = language
        apiVersion = language
        freeCompilerArgs.add("-Xsuppress-version-warnings")
    }
    // The tests stand on the stubs of the other build, which runs them.
    sourceSets.named("test") { kotlin.setSrcDirs(emptyList<String>()) }
}

java {
    sourceCompatibility = JavaVersion.toVersion(bytecode.get())
    targetCompatibility = sourceCompatibility
}

intellijPlatform {
    buildSearchableOptions = false
    instrumentCode = false
    pluginConfiguration {
        version = project.version.toString()
        ideaVersion {
            val description = layout.projectDirectory.file("src/main/resources/META-INF/plugin.xml")
            sinceBuild = stated(description, "since-build=\"(.+?)\"")
            untilBuild = provider { null }
        }
    }
    pluginVerification {
        failureLevel = listOf(
            FailureLevel.COMPATIBILITY_PROBLEMS,
            FailureLevel.INTERNAL_API_USAGES,
            FailureLevel.OVERRIDE_ONLY_API_USAGES,
        )
        ides {
            for (release in listOf("2025.1.3", "2026.1.3", "2026.2.1")) create(IntelliJPlatformType.PyCharm, release)
        }
    }
}

/** Fills a folder with the language server and what it imports; -Ppython=... names another Python. */
val bundleBackend by tasks.registering(Exec::class) {
    val isWindows = providers.systemProperty("os.name").get().startsWith("Windows")
    val python = providers.gradleProperty("python").getOrElse(if (isWindows) "python" else "python3")
    val script = repository.file("backend/bundle/bundle_backend.py")
    val folder = layout.buildDirectory.dir("backend")
    inputs.files(fileTree(repository.dir("backend")) { exclude("**/__pycache__", "**/.*") })
    outputs.dir(folder)
    commandLine(python, script.asFile.path, folder.get().asFile.path)
}

tasks {
    withType<PrepareSandboxTask>().configureEach {
        from(bundleBackend) { into(pluginName.map { "$it/backend" }) }
        from(repository.file("LICENSE"), layout.projectDirectory.file("NOTICES.txt")) { into(pluginName) }
    }
    buildPlugin {
        archiveBaseName = "gradpeek-pycharm"
    }
    wrapper {
        gradleVersion = "9.5.0"
    }
}
