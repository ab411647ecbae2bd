package dev.gradpeek.protocol

import com.google.gson.Gson
import com.google.gson.GsonBuilder
import com.google.gson.JsonElement
import com.google.gson.JsonObject
import com.google.gson.JsonParseException
import com.google.gson.TypeAdapter
import com.google.gson.TypeAdapterFactory
import com.google.gson.annotations.SerializedName
import com.google.gson.reflect.TypeToken
import com.google.gson.stream.JsonReader
import com.google.gson.stream.JsonToken
import com.google.gson.stream.JsonWriter
import java.lang.reflect.Modifier

/** Raised where JSON is not what the protocol says; the message names the type and the field. */
class WireError(message: String, cause: Throwable) : Exception(message, cause)

/** The property may be null. */
@Target(AnnotationTarget.FIELD)
annotation class OrNull

/** The property may be missing; null stands for that. */
@Target(AnnotationTarget.FIELD)
annotation class OrLeftOut

/** A method that has an answer. */
class Request<P : Any, R : Any>(val method: String, val params: Class<P>, val result: Class<R>)

/** A method that has none. */
class Notification<P : Any>(val method: String, val params: Class<P>)

/**
 * Translates between JSON and the types of the protocol.
 *
 * Gson alone takes a number for a text, and leaves null in a Kotlin property that cannot be null where
 * a field is missing. Here both are refused; fields that the types do not have are passed over.
 */
object Wire {
    private val gson: Gson = GsonBuilder()
        .serializeNulls()
        .disableHtmlEscaping()
        .registerTypeAdapter(String::class.java, Strict(JsonToken.STRING, JsonReader::nextString, JsonWriter::value))
        .registerTypeAdapter(Boolean::class.javaPrimitiveType, BOOLEAN)
        .registerTypeAdapter(Boolean::class.javaObjectType, BOOLEAN)
        .registerTypeAdapter(Int::class.javaPrimitiveType, INTEGER)
        .registerTypeAdapter(Int::class.javaObjectType, INTEGER)
        .registerTypeAdapterFactory(ProtocolTypes)
        .create()

    /**
     * The value that the JSON is.
     *
     * @throws WireError where it is none of that type.
     */
    fun <T : Any> decode(json: JsonElement, type: Class<T>): T = try {
        gson.getAdapter(type).fromJsonTree(json)
    } catch (error: RuntimeException) { // Gson has no common class for them.
        throw WireError("${type.simpleName}: ${error.message}", error)
    }

    /** The JSON of a value of the protocol. */
    fun encode(value: Any): JsonElement = gson.toJsonTree(value)
}

private val BOOLEAN = Strict<Boolean>(JsonToken.BOOLEAN, JsonReader::nextBoolean) { to, value -> to.value(value) }
private val INTEGER = Strict<Int>(JsonToken.NUMBER, JsonReader::nextInt) { to, value -> to.value(value) }

/** Reads tokens of one kind only. */
private class Strict<T : Any>(
    private val kind: JsonToken,
    private val next: (JsonReader) -> T,
    private val put: (JsonWriter, T) -> Unit,
) : TypeAdapter<T>() {
    override fun read(reader: JsonReader): T {
        val found = reader.peek()
        if (found != kind) throw JsonParseException("$found for $kind at ${reader.path}")
        return next(reader)
    }

    override fun write(writer: JsonWriter, value: T?) {
        if (value == null) writer.nullValue() else put(writer, value)
    }
}

/** Adapters of the classes beside this file. */
private object ProtocolTypes : TypeAdapterFactory {
    override fun <T> create(gson: Gson, type: TypeToken<T>): TypeAdapter<T>? {
        val raw = type.rawType
        if (raw.`package` != Wire::class.java.`package`) return null
        val plain = gson.getDelegateAdapter(this, type)
        if (raw.isEnum) return KnownNames(plain, raw)
        return Complete(plain, gson.getAdapter(JsonElement::class.java), raw)
    }
}

private class KnownNames<T>(private val plain: TypeAdapter<T>, private val type: Class<*>) : TypeAdapter<T>() {
    override fun read(reader: JsonReader): T {
        val found = reader.peek()
        if (found != JsonToken.STRING) throw JsonParseException("$found for a ${type.simpleName} at ${reader.path}")
        val path = reader.path
        return plain.read(reader) ?: throw JsonParseException("an unknown ${type.simpleName} at $path")
    }

    override fun write(writer: JsonWriter, value: T?) = plain.write(writer, value)
}

/** Reads objects that have all fields, and writes none that is left out. */
private class Complete<T>(
    private val plain: TypeAdapter<T>,
    private val elements: TypeAdapter<JsonElement>,
    private val type: Class<*>,
) : TypeAdapter<T>() {
    private class Field(val name: String, val isOrNull: Boolean, val isOrLeftOut: Boolean)

    private val fields = type.declaredFields.filterNot { Modifier.isStatic(it.modifiers) }.map {
        Field(
            it.getAnnotation(SerializedName::class.java).value,
            it.isAnnotationPresent(OrNull::class.java),
            it.isAnnotationPresent(OrLeftOut::class.java),
        )
    }

    override fun read(reader: JsonReader): T {
        val path = reader.path
        val given = elements.read(reader) as? JsonObject
            ?: throw JsonParseException("no object for a ${type.simpleName} at $path")
        val kept = JsonObject()
        for (field in fields) {
            val value = given[field.name]
            when {
                value == null -> if (!field.isOrLeftOut) throw JsonParseException("no ${field.name} at $path")
                value.isJsonNull -> if (!field.isOrNull) throw JsonParseException("null for ${field.name} at $path")
                else -> kept.add(field.name, value)
            }
        }
        return plain.fromJsonTree(kept)
    }

    override fun write(writer: JsonWriter, value: T?) {
        if (value == null) {
            writer.nullValue()
            return
        }
        val tree = plain.toJsonTree(value).asJsonObject
        for (field in fields) if (field.isOrLeftOut && tree[field.name].isJsonNull) tree.remove(field.name)
        elements.write(writer, tree)
    }
}
