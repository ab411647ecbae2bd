// API stub, never shipped. Signatures as stated in intellij-community:
// platform/platform-api/src/com/intellij/ui/ColoredTreeCellRenderer.java
package com.intellij.ui;

import java.awt.Component;
import java.awt.Font;
import javax.accessibility.AccessibleContext;
import javax.swing.JTree;
import javax.swing.tree.TreeCellRenderer;
import org.jetbrains.annotations.NotNull;

public abstract class ColoredTreeCellRenderer extends SimpleColoredComponent implements TreeCellRenderer {
  protected boolean mySelected;
  protected JTree myTree;

  @Override
  public final Component getTreeCellRendererComponent(JTree tree, Object value, boolean selected, boolean expanded,
                                                      boolean leaf, int row, boolean hasFocus) {
    myTree = tree;
    mySelected = selected;
    clear();
    setOpaque(false);
    setForeground(tree.getForeground());
    customizeCellRenderer(tree, value, selected, expanded, leaf, row, hasFocus);
    return this;
  }

  public abstract void customizeCellRenderer(@NotNull JTree tree, Object value, boolean selected, boolean expanded,
                                             boolean leaf, int row, boolean hasFocus);

  @Override
  public Font getFont() {
    Font font = super.getFont();
    return font != null || myTree == null ? font : myTree.getFont();
  }

  @Override
  public void revalidate() {}

  @Override
  public AccessibleContext getAccessibleContext() {
    if (accessibleContext == null) accessibleContext = new AccessibleColoredTreeCellRenderer();
    return accessibleContext;
  }

  protected class AccessibleColoredTreeCellRenderer extends AccessibleSimpleColoredComponent {
  }
}
