package dev.gradpeek.actions

import dev.gradpeek.protocol.Order
import dev.gradpeek.settings.ViewOptions
import dev.gradpeek.support.event
import dev.gradpeek.support.projectWith
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class ViewActionsTest {
    private val options = ViewOptions()
    private var changes = 0
    private val event = event(projectWith(session = null))

    init {
        options.onChange = { changes++ }
    }

    @Test
    fun `an order is chosen by one of four, and stays chosen when it is chosen again`() {
        val orders = mapOf(
            Order.MODEL to SortByModelAction { options },
            Order.NAME to SortByNameAction { options },
            Order.GRADIENT to SortByGradientAction { options },
            Order.SIZE to SortBySizeAction { options },
        )
        assertEquals(Order.entries.toSet(), orders.keys)
        for (order in Order.entries.reversed()) {
            orders.getValue(order).actionPerformed(event)
            assertEquals(order, options.state.order)
            assertEquals(listOf(order), orders.filterValues { it.isSelected(event) }.keys.toList())
        }
        assertEquals(4, changes)
        orders.getValue(Order.MODEL).actionPerformed(event)
        assertEquals(Order.MODEL to 4, options.state.order to changes)
    }

    @Test
    fun `each filter is a switch of its own`() {
        val switches: List<Pair<ViewAction, (ViewOptions.Values) -> Boolean>> = listOf(
            HidePlainAction { options } to ViewOptions.Values::hidePlain,
            OnlyProblemsAction { options } to ViewOptions.Values::onlyProblems,
            CallersAction { options } to ViewOptions.Values::callers,
        )
        for ((action, isOn) in switches) {
            assertFalse(action.isSelected(event))
            action.actionPerformed(event)
            assertTrue(action.isSelected(event))
            assertEquals(listOf(isOn), switches.map { it.second }.filter { it(options.state) })
            action.actionPerformed(event)
            assertFalse(isOn(options.state))
        }
        assertEquals(6, changes)
    }
}
