// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/components/JBTextField.java
package com.intellij.ui.components;

import javax.swing.JTextField;

public class JBTextField extends JTextField {
}
