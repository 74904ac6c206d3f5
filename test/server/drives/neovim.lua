vim.cmd('edit worker.js')
local function items() return vim.diagnostic.get(0) end
vim.wait(50000, function() return #items() > 0 end, 20)
local seen = { diagnostics = {}, titles = {}, hover = '', after = -1 }
for _, it in ipairs(items()) do
  table.insert(seen.diagnostics, (it.lnum + 1) .. ' ' .. it.user_data.lsp.code)
end
vim.api.nvim_win_set_cursor(0, { 10, 6 })
local at = vim.lsp.util.make_position_params()
for _, it in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', at, 10000)) do
  seen.hover = it.result.contents.value
end
for _, it in pairs(vim.lsp.buf_request_sync(0, 'deadtime/configuration', at.textDocument, 10000)) do
  seen.configuration = it.result.text
end
local here = vim.lsp.util.make_range_params()
here.context = { diagnostics = {} }
for _, it in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', here, 10000)) do
  for _, action in ipairs(it.result) do table.insert(seen.titles, action.title) end
  vim.lsp.util.apply_workspace_edit(it.result[#it.result].edit, 'utf-16')
end
vim.wait(50000, function() return #items() == 0 end, 20)
seen.after = #items()
seen.lines = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
vim.fn.writefile({ vim.json.encode(seen) }, 'seen.json')
vim.cmd('qa!')
